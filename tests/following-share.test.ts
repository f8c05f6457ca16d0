import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, query, until } from './harness/following.ts'
import { customSource, type Harness, harness } from './harness/index.ts'

let house: Harness
const sources = 7

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  const ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  for (let made = 0; made < sources; made++) {
    const fullname = `acme.s${made}`
    // Nothing answers there. A source in error is followed too.
    await ann.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: ['http://127.0.0.1:9'] }) })
  }
})
afterAll(() => house.close())

/** How many sources each process follows, the largest number first. */
async function shares(): Promise<number[]> {
  const rows = await query<{ count: number }>(
    house,
    `select count(*)::int as count from followers
      where lease_until > clock_timestamp() and source <> 'timer' group by owner order by 1 desc`,
  )
  return rows.map(({ count }) => count)
}
const untilShares = (wanted: number[]) => until(shares, (seen) => JSON.stringify(seen) === JSON.stringify(wanted))

test('processes that join get an equal share of the sources, and a process that leaves hands its share over', async () => {
  const processes: Following[] = [await follow(house)]
  await untilShares([7])
  processes.push(await follow(house))
  await untilShares([4, 3])
  processes.push(await follow(house))
  await untilShares([3, 2, 2])
  await processes.shift()?.stop()
  await untilShares([4, 3])
  await processes.shift()?.stop()
  await untilShares([7])
  await processes.shift()?.stop()
  expect(await query(house, 'select id from engine_processes')).toEqual([])
  expect(await shares()).toEqual([])
})

test('a source that no process has in its share is taken after some seconds', async () => {
  // This process is alive and takes nothing, for example because it has no endpoints for the networks.
  const heartbeat = () => house.service.store.engineProcesses.sendHeartbeat({ id: 'idle', lacks: 0 }, [])
  await heartbeat()
  const idle = setInterval(() => void heartbeat(), 500)
  let skippedMs = 0
  const process = await follow(house, { now: () => performance.now() + skippedMs })
  await untilShares([3])
  skippedMs = 5_000
  await untilShares([7])
  clearInterval(idle)
  await process.stop()
})
