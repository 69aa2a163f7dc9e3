// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clients and lock libraries as their users call them, on the port of the first argument. Each story takes a lock, is refused
// it, extends it and lets go of it, or says what a client says while it connects. Nothing here waits for a fixed time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const port = Number(process.argv[2])
const require = createRequire(join(process.cwd(), 'package.json')) // what is installed lies in the build folder
const Redis = require('ioredis')
const { createClient } = require('redis')
const Redlock = require('redlock')
const { Mutex, Semaphore, RedlockMutex } = require('redis-semaphore')
const { createLock, LockAcquisitionError } = require('@microfleet/ioredis-lock')

const release = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end`

const stories = {
  async 'ioredis: commands, pipelines, transactions, scripts'(redis) {
    assert.equal(await redis.set('lock:a', 'A', 'PX', 30000, 'NX'), 'OK')
    assert.equal(await redis.set('lock:a', 'B', 'PX', 30000, 'NX'), null)
    redis.defineCommand('unlock', { numberOfKeys: 1, lua: release })
    assert.equal(await redis.unlock('lock:a', 'B'), 0)
    assert.equal(await redis.unlock('lock:a', 'A'), 1)
    const answers = await redis.multi().incr('fence').incr('fence').exec()
    assert.deepEqual(answers, [[null, 1], [null, 2]])
    const piped = await redis.pipeline([...Array(500).keys()].map((i) => ['set', `key:${i}`, i])).exec()
    assert.ok(piped.every(([error, answer]) => error === null && answer === 'OK'))
    let found = 0
    for await (const keys of redis.scanStream({ match: 'key:*', count: 50 })) found += keys.length
    assert.equal(found, 500)
    assert.equal(await redis.client('GETNAME'), 'story')
  },

  async 'ioredis: messages, waiting, MONITOR'(redis) {
    const listener = redis.duplicate()
    await listener.subscribe('released')
    const heard = once(listener, 'message')
    assert.equal(await redis.publish('released', 'lock:a'), 1)
    assert.deepEqual(await heard, ['released', 'lock:a'])
    const waiter = redis.duplicate()
    const popped = waiter.blpop('queue', 0)
    await redis.rpush('queue', 'job')
    assert.deepEqual(await popped, ['queue', 'job'])
    const monitor = await redis.monitor()
    const seen = once(monitor, 'monitor')
    await redis.get('seen')
    assert.deepEqual((await seen)[1], ['get', 'seen'])
    for (const each of [listener, waiter, monitor]) each.disconnect()
  },

  async 'redis: both protocols'() {
    for (const RESP of [2, 3]) {
      const client = await createClient({ socket: { port }, RESP, name: `node-${RESP}` }).connect()
      assert.equal(await client.set('lock:b', 'A', { PX: 30000, NX: true }), 'OK')
      assert.equal(await client.set('lock:b', 'B', { PX: 30000, NX: true }), null)
      assert.ok((await client.pTTL('lock:b')) > 29000)
      assert.equal(await client.eval(release, { keys: ['lock:b'], arguments: ['A'] }), 1)
      await client.hSet('lock:hash', { holder: 'A', count: '2' })
      assert.deepEqual({ ...(await client.hGetAll('lock:hash')) }, { holder: 'A', count: '2' })
      assert.deepEqual(await client.multi().incr('n').del('n').exec(), [1, 1])
      const listener = await client.duplicate().connect()
      const heard = new Promise((resolve) => listener.subscribe('released', resolve).then(() => client.publish('released', 'x')))
      assert.equal(await heard, 'x')
      await client.del('lock:hash')
      listener.destroy()
      await client.close()
    }
  },

  async 'redlock: take, extend, release; the second waits'(redis) {
    const locks = new Redlock([redis], { retryCount: 0 })
    const patient = new Redlock([redis], { retryCount: 200, retryDelay: 10 })
    let lock = await locks.lock('lock:c', 10000)
    await assert.rejects(locks.lock('lock:c', 10000), { name: 'LockError' })
    lock = await lock.extend(20000)
    assert.ok((await redis.pttl('lock:c')) > 15000)
    const next = patient.lock('lock:c', 10000)
    await lock.unlock()
    const second = await next
    await assert.rejects(lock.unlock(), { name: 'LockError' }) // the old one does not delete the new one
    assert.equal(await redis.exists('lock:c'), 1)
    await second.unlock()
    assert.equal(await redis.exists('lock:c'), 0)
  },

  async 'redis-semaphore: mutex, semaphore, refresh'(redis) {
    const impatient = { acquireAttemptsLimit: 1, acquireTimeout: 100, lockTimeout: 10000 }
    const mutex = new Mutex(redis, 'd', { ...impatient, refreshInterval: 20 })
    assert.equal(await mutex.tryAcquire(), true)
    assert.equal(await new Mutex(redis, 'd', impatient).tryAcquire(), false)
    await redis.pexpire('mutex:d', 500) // the next refresh puts the whole lease back
    while ((await redis.pttl('mutex:d')) < 5000) await new Promise(setImmediate)
    await mutex.release()
    assert.equal(await redis.exists('mutex:d'), 0)
    const holders = [1, 2, 3].map(() => new Semaphore(redis, 'pool', 2, impatient))
    const got = []
    for (const each of holders) got.push(await each.tryAcquire())
    assert.deepEqual(got, [true, true, false])
    await holders[0].release()
    assert.equal(await holders[2].tryAcquire(), true)
    for (const each of holders.slice(1)) await each.release()
    const red = new RedlockMutex([redis], 'e', impatient)
    assert.equal(await red.tryAcquire(), true)
    await red.release()
  },

  async '@microfleet/ioredis-lock: take, extend, release'(redis) {
    const options = { timeout: 10000, retries: 0, delay: 10 }
    const lock = createLock(redis, options)
    await lock.acquire('lock:f')
    await assert.rejects(createLock(redis, options).acquire('lock:f'), LockAcquisitionError)
    await lock.extend(20000)
    assert.ok((await redis.pttl('lock:f')) > 15000)
    await lock.release()
    assert.equal(await redis.exists('lock:f'), 0)
  }
}

let failed = 0
for (const [name, story] of Object.entries(stories)) {
  const redis = new Redis({ port, connectionName: 'story', maxRetriesPerRequest: 1 })
  try {
    await story(redis)
    console.log(`ok      ${name}`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}: ${error.stack}`)
  }
  redis.disconnect()
}
process.exit(failed === 0 ? 0 : 1)
