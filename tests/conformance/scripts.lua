return 1
--
foo = 1
--
return foo
--
function f() end
--
redis.foo = 1
--
_G.x = 1
--
string.x = 1
--
KEYS = 1
--
KEYS[1] = 'x' return {KEYS[1], #KEYS, #ARGV, ARGV[1], ARGV[2], ARGV[3]}
--
error()
--
error('boom')
--
error('boom', 0)
--
error({err = 'x y'})
--
error({err = 'x'}, 0)
--
error(true)
--
return redis.call()
--
return redis.call('get', {})
--
return redis.call('echo', true)
--
return redis.call('nosuch')
--
return redis.call('get')
--
return redis.call('get', 'a', 'b', 'c')
--
return redis.call('script')
--
return redis.call('script', 'bogus')
--
return redis.call('script', 'load', 'return 1')
--
return redis.call('eval', 'return 1', 0)
--
return redis.pcall('get')
--
local r = redis.pcall('nosuch') return {tostring(r.err), tostring(r.source), tostring(r.line)}
--
local a, b = pcall(redis.call, 'get') return tostring(a) .. tostring(b)
--
local a, b = pcall(error, 'x') return tostring(a) .. tostring(b)
--
local a, b = pcall(error, {err = 'q'}) return tostring(a) .. tostring(b)
--
local a, b = pcall(error, {no = 'q'}) return type(b)
--
local a, b, c = pcall(function(...) return ... end, 1, 2) return {tostring(a), b, c}
--
local ok, err = pcall(function() foo = 1 end) return err
--
local a, b = xpcall(function() error('q') end, function(m) return 'h' .. m end) return {tostring(a), b}
--
return nil .. 'x'
--
local x = nil; x.y = 1
--
syntax error
--

local a = 1

foo()
--
return redis.error_reply('MYERR')
--
return redis.error_reply('MY ERR')
--
return redis.error_reply('-MY ERR')
--
return redis.error_reply('-MYERR')
--
return redis.error_reply('')
--
return redis.error_reply('two' .. '\r\n' .. 'lines here')
--
return redis.error_reply(1)
--
return {err = 'raw'}
--
return {err = 1}
--
return redis.status_reply(1)
--
return redis.status_reply('a b')
--
return redis.status_reply('a' .. '\r\n' .. 'b')
--
return {ok = 'fine'}
--
return {ok = 1}
--
return redis.sha1hex()
--
return redis.sha1hex('')
--
return redis.sha1hex(1)
--
return redis.sha1hex(string.rep('a', 55)) .. redis.sha1hex(string.rep('a', 56)) .. redis.sha1hex(string.rep('a', 64)) .. redis.sha1hex(string.rep('ab', 1000))
--
return redis.log(1)
--
return redis.log(9, 'x')
--
return redis.log('a', 'x')
--
return redis.log(redis.LOG_DEBUG, 'x', 'y')
--
return redis.setresp(4)
--
return redis.setresp()
--
redis.setresp(3) return tostring(redis.call('get', 'nokey'))
--
return tostring(redis.call('get', 'nokey'))
--
return redis.replicate_commands()
--
return redis.set_repl(redis.REPL_ALL)
--
return redis.set_repl(55)
--
return redis.set_repl()
--
return redis.breakpoint()
--
return redis.acl_check_cmd('get', 'x')
--
return redis.acl_check_cmd('nosuch', 'x')
--
return redis.REDIS_VERSION_NUM
--
return {redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING, redis.REPL_ALL, redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_NONE}
--
return {1, 2, nil, 4}
--
return {3.99, -3.99, 2^53, 2^63, -2^63, 1e300, 0/0, 1/0}
--
return {double = 3.5}
--
return {double = 0.1}
--
return {double = 1e300}
--
return {map = {a = 1}}
--
return {set = {a = true}}
--
return {big_number = '12 3'}
--
return {verbatim_string = {format = 'txt', string = 'hello'}}
--
return {true, false, 'after'}
--
return true
--
return false
--
return function() end
--
return
--
return {}
--
return {{1, {2}}, 'a', false, true, {ok = 'x'}, {err = 'E y'}, {double = 1.5}}
--
return redis.call('incrby', KEYS[1], '100.7')
--
return redis.call('incrby', KEYS[2], 100.7)
--
return redis.call('echo', 1795965363558 * 1000)
--
return {redis.call('echo', 0.1), redis.call('echo', 1e20), redis.call('echo', -0.0), redis.call('echo', 1/0), redis.call('echo', 1e-7)}
--
return #redis.call('time')
--
redis.call('set', 'made', 'x') error('boom')
--
redis.call('set', 'made', 'x') return redis.call('incr', 'made')
--
return redis.pcall('incr', KEYS[1])
--
local r = redis.pcall('incr', KEYS[1]) return r.err
--
return redis.call('flushall')
--
redis.call('select', 3) redis.call('set', 'made', 'there') return redis.call('get', KEYS[1])
--
redis.setresp(3) return {true, false, redis.call('get', 'nokey') == nil}
--
#!lua name=x
return 1
--
#!lua flags=no-writes
return redis.call('set', 'a', 'b')
--
#!lua flags=no-writes,allow-stale
return redis.call('get', KEYS[1])
--
#!lua flags=bad
return 1
--
#!js
return 1
--
#!lua
return redis.call('get', KEYS[1])
--
#!lua
error('second line')
--
#!lua flags=
return 1
--
return unpack({1, 2})
--
return {math.random(), math.random(10), math.random(5, 6)}
--
math.randomseed(7) return {tostring(math.random()), math.random(100), math.random(100), math.random(-5, 5)}
--
return {string.format('%5.1f|%s|%q|%d', 3.14159, 'x', 'a"b', 42), ('x'):rep(3), ('abc'):upper(), #'abc', ('key:1'):match('(%a+):(%d)')}
--
return {tostring(1e15), tostring(1e14), tostring(0.1), tostring(100), tostring(nil), tostring(true), tonumber('0x10'), tonumber('z', 36)}
--
local t = {3, 1, 2} table.sort(t) table.insert(t, 9) table.remove(t, 1) return {t, table.concat(t, ','), #t}
--
local n = 0 for i, k in ipairs(KEYS) do n = n + i end return n
--
return {type(redis), type(redis.call), type(KEYS), type(_G), _VERSION, select('#', 1, 2, 3), tostring(rawequal(1, 1)), rawget({7}, 1)}
--
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end
--
return {redis.call('pttl', KEYS[1]), redis.call('pexpire', KEYS[1], ARGV[2]:sub(1, 1)), redis.call('pttl', KEYS[1])}
--
redis.call('pexpire', KEYS[1], 0) return {redis.call('exists', KEYS[1]), redis.call('set', KEYS[1], 'again', 'NX')}
--
return redis.call('SET', KEYS[1], 'v', 'EX', 0)
--
return redis.call('SET', KEYS[1], 'v', 'NX', 'GET')
--
local t = setmetatable({}, {__index = function(_, k) return k * 2 end}) return {t[1], t[21], #t}
--
assert(false)
--
assert(false, 'because')
--
assert(nil, 42)
--
return assert(redis.call('get', KEYS[1]))
--
local f = function(n) if n == 0 then error('deep') end return n end f(0)
--
return tostring(redis.call('set', 'made', 1).ok)
--
return cjson.encode({1, 2, 'three', true, false, cjson.null})
--
return cjson.encode({})
--
return cjson.encode({a = 1})
--
return cjson.encode({[1] = 'a', [3] = 'b'})
--
return cjson.encode({[1] = 1, [100] = 2})
--
return cjson.encode({[2.5] = 'x'})
--
return cjson.encode({[true] = 1})
--
return cjson.encode(1/0)
--
return cjson.encode(print)
--
return cjson.encode('q"\\/\b\f\n\r\t\1\127 ü')
--
return cjson.encode(12345678901234567890)
--
return cjson.encode(0.1) .. cjson.encode(-0.5) .. cjson.encode(1e100)
--
return cjson.encode()
--
return cjson.encode(nil)
--
return cjson.encode({{{}}, {a = {b = {1}}}})
--
local t = {} local r = t for i = 1, 1100 do t.x = {} t = t.x end return cjson.encode(r)
--
local v = cjson.decode('[1, 2.5, "x", true, false, null, {"a": [1]}]') return {v[1], tostring(v[2]), v[3], tostring(v[4]), tostring(v[5]), tostring(v[6] == cjson.null), v[7].a[1]}
--
return cjson.decode('{"holder": "A", "count": 2}').count
--
return cjson.decode('"\\u00e9\\ud83d\\ude00\\n\\/"')
--
return cjson.decode('')
--
return cjson.decode('{')
--
return cjson.decode('{"a"}')
--
return cjson.decode('{"a":1,}')
--
return cjson.decode('{"a":1 "b"}')
--
return cjson.decode('{1:2}')
--
return cjson.decode('[1,]')
--
return cjson.decode('[1 2]')
--
return cjson.decode('[1')
--
return cjson.decode('nul')
--
return cjson.decode('"abc')
--
return cjson.decode('"\\x"')
--
return cjson.decode('"\\u12"')
--
return cjson.decode('"\\ud800"')
--
return cjson.decode('1 2')
--
return cjson.decode('-')
--
return cjson.decode('+1')
--
local r = {} for i, number in ipairs({'1e-400', '-1e-400', '1e400', '-1e400', '-0', '0x10', '-0x10', '0x1p-1080', '0x1p2000', '0xg', '0x', '0x-1', '01', '00', '.5', '5.', '1e', '1e+', '4.9e-324', '2.4e-324', '1e-310', '1.8e308', 'nan', '-nan', 'inf', '-Infinity', '+-1', '--1', '-a', '1_0', '1.5.5', '123456789012345678901234567890', string.rep('1', 400), '0.' .. string.rep('0', 400) .. '1'}) do local ok, value = pcall(cjson.decode, '[' .. number .. ']') r[i] = ok and tostring(value[1]) or value end return r
--
return tostring(cjson.decode('0x10')) .. tostring(cjson.decode('-12e1'))
--
return cjson.decode(string.rep('[', 1100))
--
return cjson.decode()
--
return cjson.decode({})
--
return pcall(cjson.decode, '{')
--
cjson.x = 1
--
return cjson.null
--
return {bit.tobit(0xffffffff), bit.bnot(5), bit.band(12, 10, 9), bit.bor(1, 2, 4), bit.bxor(7, 2)}
--
return {bit.lshift(1, 31), bit.rshift(-1, 28), bit.arshift(-256, 4), bit.rol(0x12345678, 12), bit.ror(0x12345678, 12), bit.bswap(0x12345678)}
--
return {bit.tohex(255), bit.tohex(-1, 4), bit.tohex(0x12345678, -8), bit.tohex(1, 0), bit.lshift(1, 33)}
--
return {bit.tobit(2^40 + 7), bit.tobit(-2^35 - 3), bit.tobit(1.5), bit.tobit(2.5), bit.tobit('8')}
--
return bit.band()
--
return bit.bor({})
--
bit.x = 1
