// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/reply_reader.h"

#include <hiredis.h>

namespace lockscope::live {

using redis::Reply;

/// The reply that hiredis' callbacks are filling. They get it as the reader's private data, and hand pointers
/// into it back as their "objects": an array's items are made at once, so these stay where they are.
struct ReplyReader::Building {
    Reply root;
    std::size_t items = 0;
    std::size_t mostItems = 0;

    static Reply& slot(const redisReadTask* task) {
        auto* building = static_cast<Building*>(task->privdata);
        if (!task->parent) return building->root = Reply();
        auto* parent = static_cast<Reply*>(task->parent->obj);
        return parent->items[static_cast<std::size_t>(task->idx)];
    }

    static void* createText(const redisReadTask* task, char* text, size_t length) {
        Reply& reply = slot(task);
        reply.type = task->type == REDIS_REPLY_STRING   ? Reply::Type::Bulk
                     : task->type == REDIS_REPLY_STATUS ? Reply::Type::Status
                                                        : Reply::Type::Error;
        reply.text.assign(text, length);
        return &reply;
    }

    static void* createArray(const redisReadTask* task, int count) {
        auto* building = static_cast<Building*>(task->privdata);
        building->items += static_cast<std::size_t>(count);
        if (building->items > building->mostItems) return nullptr;
        Reply& reply = slot(task);
        reply.type = Reply::Type::Array;
        reply.items.resize(static_cast<std::size_t>(count));
        return &reply;
    }

    static void* createInteger(const redisReadTask* task, long long number) {
        Reply& reply = slot(task);
        reply.type = Reply::Type::Integer;
        reply.integer = number;
        return &reply;
    }

    static void* createNil(const redisReadTask* task) {
        Reply& reply = slot(task);
        reply.type = task->type == REDIS_REPLY_ARRAY ? Reply::Type::NullArray : Reply::Type::Null;
        return &reply;
    }

    static void release(void*) {} // root is reused
};

ReplyReader::ReplyReader(ReplyLimits limits)
    : m_limits(limits), m_building(std::make_unique<Building>()), m_reader(nullptr, redisReaderFree) {
    static redisReplyObjectFunctions functions{Building::createText, Building::createArray,
                                               Building::createInteger, Building::createNil,
                                               Building::release};
    m_building->mostItems = m_limits.items;
    m_reader.reset(redisReaderCreateWithFunctions(&functions));
    m_reader->privdata = m_building.get();
}

ReplyReader::~ReplyReader() = default;

void ReplyReader::feed(std::string_view bytes) {
    if (m_reader->err == 0) redisReaderFeed(m_reader.get(), bytes.data(), bytes.size());
}

ReplyReader::Outcome ReplyReader::next(Reply& into) {
    void* whole = nullptr;
    if (redisReaderGetReply(m_reader.get(), &whole) != REDIS_OK) {
        m_error = m_reader->err == REDIS_ERR_OOM ? "the reply is too large" : m_reader->errstr;
        return Outcome::Broken;
    }
    if (!whole) {
        if (m_reader->len - m_reader->pos <= m_limits.bytes) return Outcome::NeedMore;
        m_error = "the reply is too large";
        return Outcome::Broken;
    }
    std::swap(into, m_building->root);
    m_building->items = 0;
    return Outcome::Reply;
}

} // namespace lockscope::live
