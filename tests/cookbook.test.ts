import { cpSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BodyInput, Policy, Routes } from '@tocsin/contract'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { needs } from '../scripts/reference/cookbook-page.ts'
import { makeWorkbench, type Workbench } from './harness/cli.ts'
import { type Harness, type Person, sharedHarness } from './harness/index.ts'
import { type Output, run as runPolicy } from './harness/policy-steps.ts'

/** Every recipe of the cookbook can be applied, fires on its sample and stays silent on the other one. */
const folder = fileURLToPath(new URL('../docs/cookbook/', import.meta.url))
const names = globSync('triggers/*.yaml', { cwd: folder }).map((file) => basename(file, '.yaml'))
const read = <T>(kind: string, name: string): T => parse(readFileSync(`${folder}${kind}/${name}.yaml`, 'utf8'))

type Values = Record<string, unknown>
/**
 * An item with which a recipe fires, with the results of its providers and the inputs of its subscription, and what makes
 * it silent. `policy`: outputs for the policy of the subscription, whose values are in the unit of its bounds, and what it
 * tells; times are in seconds.
 */
type Sample = {
  item: Values
  raw: Values
  providers?: Values
  inputs?: Values
  silent?: Values
  silentProviders?: Values
  policy?: { outputs: Output[]; until?: number; told: string[] }
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

type Spec = Record<string, unknown> & { abiFragment?: string | string[]; every?: number }

/** What a triggerSpec says of an item, with the names of that item's fields. */
function wantedOf(spec: Spec, item: Values): Values {
  const { type, contract, abiFragment, pallet, call, programId, event } = spec
  const lines: readonly string[] = abiFragment === undefined ? [] : [abiFragment].flat()
  const entries = lines.length > 0 ? parseAbi(lines) : []
  const entry = entries.find((each) => 'name' in each && each.name === (item.event ?? item.method)) ?? entries[0]
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
  expect(item).toMatchObject(wantedOf(triggerSpec, item))
  if (triggerSpec.every !== undefined) expect(Number(item.number) % triggerSpec.every).toBe(0)
})

type Saved = BodyInput<Routes['saveTrigger']>

test.each(names)('%s fires on its sample, and only there', async (name) => {
  const recipe = read<Saved>('triggers', name)
  const { triggerSpec, conditions, activation, transform, outputSchema, providers = [], defaults = {} } = recipe
  const { item, raw, inputs, providers: given, silent, silentProviders } = read<Sample>('samples', name)
  const definition = { triggerSpec, conditions, activation, transform: transform ?? null, outputSchema, providers }
  const run = (input: Values, providersData = given) =>
    ann.previewTrigger({ body: { ...definition, input, inputs, providersData } })
  const fired = await run(item)
  expect(fired).toMatchObject({ valid: true, issues: [], output: { raw } })
  if (fired.output !== null) {
    const shown = {
      output: { raw: {}, human: {}, ...fired.output },
      input: item,
      trigger: `docs.cookbook.${name}`,
      title: 'T',
    }
    expect(await ann.previewMessage({ body: { defaults, ...shown } })).toMatchObject({ valid: true, issues: [] })
  }
  if (silent) expect(await run({ ...item, ...silent })).toMatchObject({ valid: true, output: null })
  if (silentProviders) expect(await run(item, silentProviders)).toMatchObject({ valid: true, output: null })
})

const told = names.flatMap((name) => {
  const { policy } = read<Sample>('samples', name)
  return policy ? [{ name, ...policy }] : []
})

test.each(told)('the policy of $name tells what it should, and nothing else', ({ name, outputs, until, told }) => {
  const { policy } = read<{ policy: Policy }>('subscriptions', name)
  expect(runPolicy(policy, outputs, until === undefined ? {} : { until })).toEqual(told)
})

test('what the team of a protocol wants to be told needs no JavaScript but that of the core actions', async () => {
  expect(
    Object.values(needs)
      .flat()
      .filter((name) => !names.includes(name)),
  ).toEqual([])
  const { actions } = await ann.listCoreActions()
  const ofActions = new Set(actions.flatMap(scriptsOf))
  const own = Object.values(needs)
    .flat()
    .flatMap((name) => scriptsOf(read<Saved>('triggers', name)).map((script) => `${name}: ${script}`))
  expect(own.filter((script) => !ofActions.has(script.slice(script.indexOf(': ') + 2)))).toEqual([])
})

/** Every script of a definition, without its spaces. */
function scriptsOf({ transform, activation, providers = [] }: Pick<Saved, 'transform' | 'activation' | 'providers'>) {
  const scripts = [
    ...(typeof transform === 'string' ? [transform] : Object.values(transform ?? {})),
    ...(typeof activation === 'string' ? [activation] : [activation?.source]),
    ...providers.flatMap((provider) => (provider.type === 'javascript' ? [provider.source] : [])),
  ]
  return scripts.filter((script) => script !== 'javascript').flatMap((script) => script?.replaceAll(/\s/g, '') ?? [])
}
