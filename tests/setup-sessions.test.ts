import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimSession, completeSession } from '../server/src/domain/resources/setup-sessions.ts'
import type { Destination } from '../server/src/store/alerts/destinations.ts'
import { dumpTables } from './harness/dump.ts'
import { type Harness, harness, rejects, resource, type Team } from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await harness({ SECURE_SETUP: 'on' })
  team = await house.team('acme')
})
afterAll(() => house.close())

const minuteMs = 60_000
const target: Destination = {
  private: { chatId: -1009876543210 },
  summary: { service: 'telegram', title: 'Ops', kind: 'group' },
}

async function newChat(name: string): Promise<string> {
  const fullname = `acme.${name}`
  await team.owner.saveResource({ fullname, body: resource(fullname, { blueprint: 'common.delivery.telegram' }) })
  return fullname
}
const create = (fullname: string, who = team.owner) => who.createSetupSession({ fullname })
const statusOf = async (fullname: string, id: string) => (await team.owner.getSetupSession({ fullname, id })).status
const claim = (token: string, user = 'user-1') => claimSession(house.service.store, token, user, house.clock.now())
const complete = (id: string, user = 'user-1', to = target) =>
  completeSession(house.service.store, id, user, to, house.clock.now())

describe('starting', () => {
  test('returns a token for a deep link, once, valid for fifteen minutes', async () => {
    const fullname = await newChat('start')
    const before = house.clock.now().getTime()
    const created = await create(fullname)
    expect(created).toMatchObject({ status: 'pending' })
    expect(created.setupToken).toMatch(/^tcn_setup_[A-Za-z0-9_-]{43}$/)
    expect(created.setupToken.length).toBeLessThanOrEqual(64)
    const lifetimeMs = Date.parse(created.expiresAt) - before
    expect(lifetimeMs).toBeGreaterThanOrEqual(15 * minuteMs)
    expect(lifetimeMs).toBeLessThan(15 * minuteMs + 5_000)
    const { id, expiresAt } = created
    const read = await team.owner.getSetupSession({ fullname, id })
    expect(read).toEqual({ id, resourceFullname: fullname, status: 'pending', expiresAt })
  })

  test('does not change the resource', async () => {
    const fullname = await newChat('untouched')
    const before = await team.owner.getResource({ fullname })
    await create(fullname)
    expect(await team.owner.getResource({ fullname })).toEqual(before)
  })

  test('supersedes the session before, whose token no longer works', async () => {
    const fullname = await newChat('again')
    const first = await create(fullname)
    const second = await create(fullname)
    expect(await statusOf(fullname, first.id)).toBe('superseded')
    expect(await statusOf(fullname, second.id)).toBe('pending')
    expect(await claim(first.setupToken)).toEqual({ kind: 'refused', reason: 'superseded' })
    expect(await claim(second.setupToken)).toMatchObject({ kind: 'claimed' })
  })

  test('concurrently leaves exactly one active session', async () => {
    const fullname = await newChat('crowd')
    const created = await Promise.all(Array.from({ length: 8 }, () => create(fullname)))
    const statuses = await Promise.all(created.map(({ id }) => statusOf(fullname, id)))
    expect(statuses.filter((status) => status === 'pending')).toHaveLength(1)
    expect(statuses.filter((status) => status === 'superseded')).toHaveLength(7)
  })

  test('does not store the token', async () => {
    const { setupToken } = await create(await newChat('hashed'))
    const rows = await dumpTables(house.databaseUrl)
    expect(rows).not.toContain(setupToken)
    expect(rows).not.toContain(Buffer.from(setupToken).toString('hex'))
    expect(house.logs.join('\n')).not.toContain(setupToken)
  })
})

describe('claiming', () => {
  test('uses the token up, also for the user who claimed', async () => {
    const fullname = await newChat('claimed')
    const { id, setupToken, expiresAt } = await create(fullname)
    const claimed = await claim(setupToken)
    expect(claimed).toMatchObject({ kind: 'claimed', session: { id, messenger_user: 'user-1' } })
    expect(await team.owner.getSetupSession({ fullname, id })).toMatchObject({ status: 'claimed', expiresAt })
    for (const user of ['user-1', 'user-2'])
      expect(await claim(setupToken, user)).toEqual({ kind: 'refused', reason: 'used' })
    expect(await claim('tcn_setup_unknown')).toEqual({ kind: 'refused', reason: 'unknown' })
  })

  test('concurrently by several users binds the session to one of them', async () => {
    const { id, setupToken } = await create(await newChat('grabbed'))
    const users = ['a', 'b', 'c', 'd']
    const outcomes = await Promise.all(users.map((user) => claim(setupToken, user)))
    const winners = users.filter((_, index) => outcomes[index]?.kind === 'claimed')
    expect(winners).toHaveLength(1)
    for (const user of users)
      expect((await complete(id, user)).kind).toBe(user === winners[0] ? 'completed' : 'refused')
  })

  test('with a wrong token, however similar, fails and does not use the token up', async () => {
    const fullname = await newChat('guessed')
    const { id, setupToken } = await create(fullname)
    const changed = [...setupToken].map(
      (letter, at) => setupToken.slice(0, at) + (letter === 'a' ? 'b' : 'a') + setupToken.slice(at + 1),
    )
    const cut = [...setupToken].map((_, at) => setupToken.slice(0, at))
    const guesses = [...changed, ...cut, id, `${setupToken} `, `${setupToken}a`, setupToken.toUpperCase()]
    const outcomes = await Promise.all(guesses.map((guess, at) => claim(guess, `guesser-${at}`)))
    for (const outcome of outcomes) expect(outcome).toEqual({ kind: 'refused', reason: 'unknown' })
    expect(await statusOf(fullname, id)).toBe('pending')
    expect(await claim(setupToken)).toMatchObject({ kind: 'claimed', session: { id } })
  })

  test('does not extend the time', async () => {
    const fullname = await newChat('slow')
    const { id, setupToken } = await create(fullname)
    house.clock.advance(14 * minuteMs)
    expect(await claim(setupToken)).toMatchObject({ kind: 'claimed' })
    house.clock.advance(minuteMs)
    expect(await complete(id)).toEqual({ kind: 'refused', reason: 'expired' })
    expect(await statusOf(fullname, id)).toBe('expired')
    expect(await team.owner.getResource({ fullname })).toMatchObject({ ready: false })
  })
})

describe('completing', () => {
  test('sets destination, ready and remark together and hides the target', async () => {
    const fullname = await newChat('completed')
    const { id, setupToken } = await create(fullname)
    await claim(setupToken)
    expect(await complete(id)).toEqual({ kind: 'completed' })
    expect(await statusOf(fullname, id)).toBe('completed')
    for (const person of [team.owner, team.user]) {
      const view = await person.getResource({ fullname })
      expect(view).toMatchObject({ ready: true, remark: null, destinationSummary: target.summary })
      expect(view).not.toHaveProperty('data')
      expect(JSON.stringify(view)).not.toContain('-1009876543210')
    }
    const { id: resourceId } = await team.owner.getResource({ fullname })
    expect(await house.service.store.destinations.readPrivate(resourceId)).toEqual(target.private)
    expect(await complete(id)).toEqual({ kind: 'refused', reason: 'completed' })
    expect(await claim(setupToken)).toEqual({ kind: 'refused', reason: 'completed' })
  })

  test('needs the claim, and the user who claimed', async () => {
    const { id, setupToken } = await create(await newChat('strict'))
    expect(await complete(id)).toEqual({ kind: 'refused', reason: 'unknown' })
    await claim(setupToken)
    expect(await complete(id, 'user-2')).toEqual({ kind: 'refused', reason: 'unknown' })
    expect(await complete('no-such-session')).toEqual({ kind: 'refused', reason: 'unknown' })
    expect(await complete(id)).toEqual({ kind: 'completed' })
  })

  test('fails once the session is superseded, and the former destination stays', async () => {
    const fullname = await newChat('kept')
    const first = await create(fullname)
    await claim(first.setupToken)
    await complete(first.id)
    const second = await create(fullname)
    await claim(second.setupToken)
    const third = await create(fullname)
    const elsewhere = { private: { chatId: 7 }, summary: { service: 'telegram', title: 'Elsewhere' } }
    expect(await complete(second.id, 'user-1', elsewhere)).toEqual({ kind: 'refused', reason: 'superseded' })
    await team.owner.cancelSetupSession({ fullname, id: third.id })
    expect(await team.owner.getResource({ fullname })).toMatchObject({
      ready: true,
      destinationSummary: target.summary,
    })
  })

  test('concurrently with a cancel ends in exactly one of the two', async () => {
    for (let round = 0; round < 6; round++) {
      const fullname = await newChat(`duel-${round}`)
      const { id, setupToken } = await create(fullname)
      await claim(setupToken)
      const [completed, cancelled] = await Promise.allSettled([
        complete(id),
        team.owner.cancelSetupSession({ fullname, id }),
      ])
      const isCompleted = completed.status === 'fulfilled' && completed.value.kind === 'completed'
      expect(cancelled.status).toBe(isCompleted ? 'rejected' : 'fulfilled')
      expect(await statusOf(fullname, id)).toBe(isCompleted ? 'completed' : 'cancelled')
      expect(await team.owner.getResource({ fullname })).toMatchObject({ ready: isCompleted })
    }
  })
})

describe('ending', () => {
  test('cancelling ends a session, and a repeat is no error', async () => {
    const fullname = await newChat('cancelled')
    const { id, setupToken } = await create(fullname)
    const { status } = await team.owner.whole.cancelSetupSession({ fullname, id })
    expect(status).toBe(204)
    expect(await statusOf(fullname, id)).toBe('cancelled')
    await team.owner.cancelSetupSession({ fullname, id })
    expect(await claim(setupToken)).toEqual({ kind: 'refused', reason: 'cancelled' })
  })

  test('cancelling with an outdated ETag is refused and changes nothing', async () => {
    const fullname = await newChat('tagged')
    const { id, setupToken } = await create(fullname)
    const { headers } = await team.owner.whole.getSetupSession({ fullname, id })
    await claim(setupToken)
    const ifMatch = headers.get('etag') ?? ''
    await rejects(team.owner.cancelSetupSession({ fullname, id, ifMatch }), { code: 'precondition_failed' })
    expect(await statusOf(fullname, id)).toBe('claimed')
  })

  test('a claimed session can be cancelled too', async () => {
    const fullname = await newChat('cancelled-late')
    const { id, setupToken } = await create(fullname)
    await claim(setupToken)
    await team.owner.cancelSetupSession({ fullname, id })
    expect(await complete(id)).toEqual({ kind: 'refused', reason: 'cancelled' })
  })

  test('a completed, superseded or expired session cannot be cancelled', async () => {
    const fullname = await newChat('final')
    const superseded = await create(fullname)
    const completed = await create(fullname)
    await claim(completed.setupToken)
    await complete(completed.id)
    const expired = await create(fullname)
    house.clock.advance(15 * minuteMs)
    for (const { id } of [superseded, completed, expired])
      await rejects(team.owner.cancelSetupSession({ fullname, id }), { code: 'session_not_active', status: 409 })
    expect(await statusOf(fullname, expired.id)).toBe('expired')
    expect(await statusOf(fullname, completed.id)).toBe('completed')
  })

  test('after fifteen minutes it is expired: on read, on claim and by the sweeper', async () => {
    const { store } = house.service
    const [read, tried, swept] = [await newChat('read'), await newChat('tried'), await newChat('swept')]
    const sessions = [await create(read), await create(tried), await create(swept)]
    house.clock.advance(15 * minuteMs)
    expect(await statusOf(read, sessions[0]!.id)).toBe('expired')
    expect(await claim(sessions[1]!.setupToken)).toEqual({ kind: 'refused', reason: 'expired' })
    expect(await store.setupSessions.expireOverdue(house.clock.now())).toBeGreaterThanOrEqual(2)
    const row = await store.setupSessions.lock({ id: sessions[2]!.id })
    expect(row?.status).toBe('expired')
  })

  test('a new session after the fifteen minutes leaves the old one expired, not superseded', async () => {
    const fullname = await newChat('renewed')
    const old = await create(fullname)
    house.clock.advance(15 * minuteMs)
    const fresh = await create(fullname)
    expect(await statusOf(fullname, old.id)).toBe('expired')
    expect(await statusOf(fullname, fresh.id)).toBe('pending')
  })
})

describe('access', () => {
  test('only owners may start, read and cancel', async () => {
    const fullname = await newChat('owned')
    const { id } = await create(fullname)
    for (const person of [team.admin, team.developer, team.user]) {
      await rejects(create(fullname, person), { code: 'forbidden', status: 403 })
      await rejects(person.getSetupSession({ fullname, id }), { code: 'forbidden', status: 403 })
      await rejects(person.cancelSetupSession({ fullname, id }), { code: 'forbidden', status: 403 })
    }
    await rejects(create(fullname, team.stranger), { code: 'not_found', status: 404 })
    await rejects(team.stranger.getSetupSession({ fullname, id }), { code: 'not_found', status: 404 })
    await rejects(team.stranger.cancelSetupSession({ fullname, id }), { code: 'not_found', status: 404 })
    await rejects(house.nobody.createSetupSession({ fullname }), { code: 'unauthenticated', status: 401 })
    await rejects(house.nobody.getSetupSession({ fullname, id }), { code: 'unauthenticated', status: 401 })
    await rejects(house.nobody.cancelSetupSession({ fullname, id }), { code: 'unauthenticated', status: 401 })
    expect(await statusOf(fullname, id)).toBe('pending')
  })

  test('a session is found only under its own resource', async () => {
    const [mine, other] = [await newChat('mine'), await newChat('other')]
    const { id } = await create(mine)
    for (const fullname of [other, mine]) {
      const wrong = fullname === mine ? 'no-such-session' : id
      await rejects(team.owner.getSetupSession({ fullname, id: wrong }), { code: 'not_found', status: 404 })
      await rejects(team.owner.cancelSetupSession({ fullname, id: wrong }), { code: 'not_found', status: 404 })
    }
  })

  test('a resource of another blueprint has no setup sessions', async () => {
    const fullname = 'acme.plain'
    await team.owner.saveResource({ fullname, body: resource(fullname) })
    await rejects(create(fullname), { code: 'feature_unavailable', status: 404 })
    await rejects(team.owner.getSetupSession({ fullname, id: 'x' }), { code: 'feature_unavailable', status: 404 })
    await rejects(team.owner.cancelSetupSession({ fullname, id: 'x' }), { code: 'feature_unavailable', status: 404 })
    await rejects(create(fullname, team.admin), { code: 'forbidden' })
  })
})

test('if secure setup is off, every route answers feature_unavailable', async () => {
  const off = await harness()
  try {
    const { owner, stranger } = await off.team('acme')
    const fullname = 'acme.chat'
    await owner.saveResource({ fullname, body: resource(fullname, { blueprint: 'common.delivery.telegram' }) })
    for (const person of [owner, stranger]) {
      const refused = await rejects(person.createSetupSession({ fullname }), {
        code: 'feature_unavailable',
        status: 404,
      })
      expect(refused.message).toBe('Telegram setup is off. The operator must set TELEGRAM_BOT_TOKEN.')
      await rejects(person.getSetupSession({ fullname, id: 'x' }), { code: 'feature_unavailable', status: 404 })
      await rejects(person.cancelSetupSession({ fullname: 'no.where', id: 'x' }), { code: 'feature_unavailable' })
    }
    await rejects(off.nobody.createSetupSession({ fullname }), { code: 'unauthenticated' })
  } finally {
    await off.close()
  }
})
