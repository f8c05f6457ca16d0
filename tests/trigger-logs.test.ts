import { beforeAll, describe, expect, test } from 'vitest'
import { type Harness, project, rejects, sharedHarness, type Team, trigger } from './harness/index.ts'

let house: Harness
let team: Team
const minuteMs = 60_000
const start = new Date('2026-01-01T00:00:00.000Z')
const at = (minutes: number) => new Date(start.getTime() + minutes * minuteMs)

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('logbook')
  await team.owner.saveProject({ fullname: 'logbook.p', body: project('logbook.p', { accessLevel: 'public' }) })
})

async function makeTrigger(fullname: string) {
  const { id } = await team.developer.saveTrigger({ fullname, body: trigger(fullname) })
  const { triggerLogs } = house.service.store
  return {
    fail: (minutes: number, reasonCode: string, channel?: string) =>
      triggerLogs.record(
        { triggerId: id, kind: 'delivery_failure', status: 'failed', reasonCode, ...(channel && { channel }) },
        at(minutes),
      ),
    press: (minutes: number) =>
      triggerLogs.record(
        { triggerId: id, kind: 'source_pressure', status: 'limited', source: 'logbook.s', sample: { lag: 9 } },
        at(minutes),
      ),
    logs: (query: Parameters<Team['owner']['getTriggerLogs']>[0]['query'] = {}) =>
      team.developer.getTriggerLogs({ fullname, query }),
  }
}

describe('trigger logs', () => {
  test('a trigger without logs has details and no entries', async () => {
    const { logs } = await makeTrigger('logbook.p.quiet')
    expect(await logs()).toEqual({
      trigger: {
        fullname: 'logbook.p.quiet',
        meta: { title: 'quiet' },
        status: expect.objectContaining({ status: 'not_tested' }),
      },
      subscriptions: { total: 0, active: 0, paused: 0 },
      logs: [],
      hasMore: false,
    })
  })

  test('equal entries within an hour are one entry with a count', async () => {
    const { fail, press, logs } = await makeTrigger('logbook.p.counted')
    for (const minute of [0, 10, 59]) await fail(minute, 'timeout', 'webhook')
    await fail(5, 'timeout', 'email')
    await fail(6, 'refused', 'webhook')
    await fail(60, 'timeout', 'webhook')
    await press(7)
    const entries = (await logs()).logs.map(({ id, ...entry }) => entry)
    const failure = (reasonCode: string, channel: string, count: number, first: number, last: number) => ({
      kind: 'delivery_failure',
      status: 'failed',
      reasonCode,
      channel,
      count,
      firstSeenAt: at(first).toISOString(),
      lastSeenAt: at(last).toISOString(),
    })
    const seen = at(7).toISOString()
    expect(entries).toEqual([
      failure('timeout', 'webhook', 1, 60, 60),
      failure('timeout', 'webhook', 3, 0, 59),
      {
        kind: 'source_pressure',
        status: 'limited',
        source: 'logbook.s',
        sample: { lag: 9 },
        count: 1,
        firstSeenAt: seen,
        lastSeenAt: seen,
      },
      failure('refused', 'webhook', 1, 6, 6),
      failure('timeout', 'email', 1, 5, 5),
    ])
  })

  test('concurrent equal entries are one entry too', async () => {
    const { fail, logs } = await makeTrigger('logbook.p.burst')
    await Promise.all(Array.from({ length: 20 }, () => fail(0, 'timeout')))
    expect((await logs()).logs).toMatchObject([{ count: 20 }])
  })

  test('before lists newest first and after oldest first, both without the given time', async () => {
    const { fail, press, logs } = await makeTrigger('logbook.p.windows')
    for (const minute of [1, 2, 3, 4]) await fail(minute, `r${minute}`)
    await press(5)
    const reasons = async (query: Parameters<typeof logs>[0]) => {
      const answer = await logs(query)
      return [answer.logs.map(({ reasonCode }) => reasonCode ?? 'pressure').join(' '), answer.hasMore]
    }
    expect(await reasons({})).toEqual(['pressure r4 r3 r2 r1', false])
    expect(await reasons({ direction: 'after' })).toEqual(['r1 r2 r3 r4 pressure', false])
    const datetime = at(3).toISOString()
    expect(await reasons({ datetime })).toEqual(['r2 r1', false])
    expect(await reasons({ datetime, direction: 'after' })).toEqual(['r4 pressure', false])
    expect(await reasons({ limit: 2 })).toEqual(['pressure r4', true])
    expect(await reasons({ limit: 2, direction: 'after', datetime })).toEqual(['r4 pressure', false])
    expect(await reasons({ status: 'limited' })).toEqual(['pressure', false])
    expect(await reasons({ status: 'delivered' })).toEqual(['', false])
  })

  test('an invalid query is refused', async () => {
    const { logs } = await makeTrigger('logbook.p.queried')
    for (const query of [
      { limit: 0 },
      { limit: 501 },
      { status: 'great' },
      { direction: 'up' },
      { datetime: 'yesterday' },
      { datetime: '2026-01-01T00:00:00' },
    ])
      await rejects(logs(query as never), { code: 'invalid_query', status: 400 })
  })

  test('logs are for developers and above', async () => {
    const fullname = 'logbook.p.guarded'
    await makeTrigger(fullname)
    await rejects(house.nobody.getTriggerLogs({ fullname }), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.getTriggerLogs({ fullname }), { code: 'forbidden', status: 403 })
    await rejects(team.stranger.getTriggerLogs({ fullname }), { code: 'forbidden', status: 403 })
    await rejects(team.developer.getTriggerLogs({ fullname: 'logbook.p.none' }), { code: 'not_found', status: 404 })
    await team.owner.saveProject({ fullname: 'logbook.shut', body: project('logbook.shut') })
    await makeTrigger('logbook.shut.t')
    await rejects(team.stranger.getTriggerLogs({ fullname: 'logbook.shut.t' }), { code: 'not_found', status: 404 })
  })
})
