import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, query, queued, until } from './harness/following.ts'
import { type Harness, harness, type Person, project, trigger } from './harness/index.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let house: Harness
let ann: Person
let following: Following
let id: string

beforeAll(async () => {
  house = await harness()
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  following = await follow(house)
  const triggerSpec = { type: 'timer', interval: '1h' } as const
  id = (await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t', { triggerSpec }) })).id
})
afterAll(async () => {
  await following.stop()
  await house.close()
})

const ticks = async () =>
  (await queued(house)).filter(({ data }) => data.triggerId === id).map(({ data }) => Number(data.matches[0]?.key))
const isKnown = () => query(house, 'select 1 from timers where trigger_id = $1', [id])
const boundary = () => Math.floor(house.clock.now().getTime() / hourMs) * hourMs

test('the first tick is the boundary after the first subscription, and each tick comes once', async () => {
  await ann.createSubscription({ body: { workspace: 'acme', project: 'acme.p', trigger: 'acme.p.t', resources: [] } })
  await until(isKnown, (rows) => rows.length === 1)
  expect(await ticks()).toEqual([])
  house.clock.advance(hourMs)
  const first = boundary()
  expect(await until(ticks, (seen) => seen.length > 0)).toEqual([first])
  const [job] = (await queued(house)).filter(({ data }) => data.triggerId === id)
  expect(job?.data).toMatchObject({ source: null, block: null, nowMs: first })
  expect(job?.data.matches[0]?.item).toEqual({ now: new Date(first).toISOString(), timestampMs: first })
})

test('a restart repeats no tick, and missed ticks come as one late tick', async () => {
  const before = await ticks()
  await following.stop()
  following = await follow(house)
  await until(
    () =>
      query<{ held: boolean }>(
        house,
        "select lease_until > clock_timestamp() as held from followers where source = 'timer'",
      ),
    ([row]) => row?.held === true,
  )
  await following.stop()
  expect(await ticks()).toEqual(before)
  house.clock.advance(5 * hourMs)
  following = await follow(house)
  expect(await until(ticks, (seen) => seen.length > before.length)).toEqual([...before, boundary()])
})

test('a new subscription gets no earlier ticks', async () => {
  const [subscription] = (await ann.listSubscriptions({})).map((each) => each.id)
  await ann.pauseSubscription({ id: subscription ?? '' })
  await until(isKnown, (rows) => rows.length === 0)
  const before = await ticks()
  house.clock.advance(3 * hourMs)
  await ann.resumeSubscription({ id: subscription ?? '' })
  await until(isKnown, (rows) => rows.length === 1)
  expect(await ticks()).toEqual(before)
  house.clock.advance(hourMs)
  expect(await until(ticks, (seen) => seen.length > before.length)).toEqual([...before, boundary()])
})

test('cron fields tick at their local time, and a missed time runs once, late, with the scheduled time', async () => {
  const midnight = Math.ceil(house.clock.now().getTime() / dayMs) * dayMs
  house.clock.advance(midnight + 2 * hourMs - house.clock.now().getTime())
  const triggerSpec = { type: 'timer', interval: '30 9 * * *', timezone: 'Asia/Tokyo' } as const
  id = (await ann.saveTrigger({ fullname: 'acme.p.cron', body: trigger('acme.p.cron', { triggerSpec }) })).id
  await ann.createSubscription({
    body: { workspace: 'acme', project: 'acme.p', trigger: 'acme.p.cron', resources: [] },
  })
  await until(isKnown, (rows) => rows.length === 1)
  expect(await ticks()).toEqual([])
  await following.stop()
  house.clock.advance(2 * dayMs)
  following = await follow(house)
  // 9:30 in Tokyo is 0:30 UTC.
  const scheduled = midnight + 2 * dayMs + hourMs / 2
  expect(await until(ticks, (seen) => seen.length > 0)).toEqual([scheduled])
  const { input } = await ann.findLatestBlock({ body: { triggerSpec, maxBlocks: 1 } })
  expect(input).toMatchObject({ timestampMs: scheduled })
})
