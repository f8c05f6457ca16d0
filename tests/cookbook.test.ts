import { cpSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BodyInput, Routes } from '@tocsin/contract'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeWorkbench, type Workbench } from './harness/cli.ts'
import { type Harness, type Person, sharedHarness } from './harness/index.ts'

/** Every recipe of the cookbook can be applied, fires on its sample and stays silent on the other one. */
const folder = fileURLToPath(new URL('../docs/cookbook/', import.meta.url))
const names = globSync('triggers/*.yaml', { cwd: folder }).map((file) => basename(file, '.yaml'))
const read = <T>(kind: string, name: string): T => parse(readFileSync(`${folder}${kind}/${name}.yaml`, 'utf8'))

type Sample = {
  item: Record<string, unknown>
  raw: Record<string, unknown>
  /** What the item is on which the recipe stays silent. */
  silent?: Record<string, unknown>
  /** The results of the providers: for the sample, and with which the recipe stays silent. */
  providers?: Record<string, unknown>
  silentProviders?: Record<string, unknown>
}

let house: Harness
let ann: Person
let bench: Workbench
beforeAll(async () => {
  house = await sharedHarness()
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'docs', body: { fullname: 'docs' } })
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: ann.token })
  cpSync(folder, bench.folder, { recursive: true })
})
afterAll(() => bench.remove())

test('the folder is applied as it is, and a second plan is empty', async () => {
  expect(await bench.inside('apply', '--yes')).toMatchObject({ code: 0 })
  expect(await bench.inside('plan')).toMatchObject({ code: 0, out: expect.stringContaining('No changes') })
})

type Spec = Record<string, unknown> & { abiFragment?: string; every?: number }

/** What a triggerSpec says of an item, with the names of that item's fields. */
function wantedOf({ type, contract, abiFragment, pallet, call, programId, event }: Spec): Record<string, unknown> {
  const lines: readonly string[] = abiFragment === undefined ? [] : [abiFragment]
  const [entry] = lines.length > 0 ? parseAbi(lines) : []
  if (entry && entry.type !== 'event' && entry.type !== 'function') throw new Error(`${abiFragment} is neither`)
  return {
    ...(typeof contract === 'string' && { address: contract.toLowerCase() }),
    ...(entry && { [type === 'evm_call' ? 'method' : 'event']: entry.name }),
    ...(entry && { params: Object.fromEntries(entry.inputs.map(({ name = '' }) => [name, expect.anything()])) }),
    ...Object.fromEntries(Object.entries({ pallet, call, programId, event }).filter(([, name]) => name !== undefined)),
  }
}

test.each(names)('the sample of %s is an item that its triggerSpec matches', (name) => {
  const { triggerSpec } = read<{ triggerSpec: Spec }>('triggers', name)
  const { item } = read<Sample>('samples', name)
  expect(item).toMatchObject(wantedOf(triggerSpec))
  if (triggerSpec.every !== undefined) expect(Number(item.number) % triggerSpec.every).toBe(0)
})

test.each(names)('%s fires on its sample, and only there', async (name) => {
  const {
    conditions,
    activation,
    transform,
    outputSchema,
    providers = [],
  } = read<BodyInput<Routes['saveTrigger']>>('triggers', name)
  const { item, raw, silent, providers: providersData = {}, silentProviders } = read<Sample>('samples', name)
  const definition = { conditions, activation, transform: transform ?? null, outputSchema, providers }
  const run = (input: Record<string, unknown>, given = providersData) =>
    ann.previewTrigger({ body: { ...definition, input, providersData: given } })
  expect(await run(item)).toMatchObject({ valid: true, issues: [], output: { raw } })
  if (silent) expect(await run({ ...item, ...silent })).toMatchObject({ valid: true, output: null })
  if (silentProviders) expect(await run(item, silentProviders)).toMatchObject({ valid: true, output: null })
})
