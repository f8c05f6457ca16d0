import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runInside } from './harness/cli.ts'
import { until } from './harness/following.ts'
import { type Harness, harness } from './harness/index.ts'

/** The projects of `marketplace/` on a service whose store was empty. */
const folder = join(import.meta.dirname, '../marketplace')
const token = 'marketplace-test-token-0123456789abcdef'
const files = (below: string) =>
  readdirSync(join(folder, below), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'))

let house: Harness
const tocsin = (...args: string[]) =>
  runInside(args, folder, { TOCSIN_URL: house.url, TOCSIN_TOKEN: token, HOME: tmpdir() })

beforeAll(async () => {
  house = await harness({ MARKETPLACE: 'on', ROLE: 'all', ADMIN_TOKEN: token })
  await installed()
})
afterAll(() => house.close())

/** The service installs in the background, and writes the setting last. */
async function installed(): Promise<void> {
  await until(
    async () => (await house.database.query("select value from settings where key = 'marketplace'")).rows,
    (rows) => rows.length === 1,
  )
}

test('every account finds the projects, and nothing is followed until somebody subscribes', async () => {
  const ann = await house.person('ann')
  const found = await ann.listProjects({ query: { scope: 'marketplace' } })
  expect(found.map(({ name }) => `${name}.yaml`).sort()).toEqual(files('projects').sort())
  expect(found.every(({ ownerTitle, counts }) => ownerTitle === 'Tocsin' && counts.triggers > 0)).toBe(true)
  expect((await house.database.query("select * from followers where source <> 'timer'")).rows).toEqual([])
  expect(house.logs.filter((line) => line.includes('of the marketplace'))).toEqual([])
})

test('the files are a stack: a plan of the folder has no changes and no drift', async () => {
  const plan = await tocsin('plan', '--json')
  expect(plan).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(plan.out)).toMatchObject({ drift: [], issues: [] })
})

test('every trigger fires on its sample, without a node', async () => {
  const tested = files('tests').map((file) => read(join('tests', file)))
  const firing = tested.filter(({ mustFire }) => mustFire.length > 0).map(({ trigger }) => trigger)
  const triggers = files('triggers').map((file) => read(join('triggers', file)).fullname)
  expect(firing.sort()).toEqual(triggers.sort())
  const result = await tocsin('test', '--offline', '--json')
  expect(JSON.parse(result.out).results.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([])
  expect(result.code).toBe(0)
})
