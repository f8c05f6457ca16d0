import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { makeWorkbench, type Workbench } from './harness/cli.ts'
import { report, transferEvent } from './harness/import-bench.ts'
import { type Harness, project, sharedHarness, type Team, template, trigger } from './harness/index.ts'

let house: Harness
let team: Team
let bench: Workbench
beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('imports')
})
beforeEach(() => {
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token })
  bench.write('tocsin.yaml', 'apiVersion: 1\nworkspace: imports\nstack: ported\n')
})
afterEach(() => bench.remove())

const spec = { type: 'timer', interval: '1h' } as const

test('the files of a Web3alert project become files of the stack, in its workspace, and are applied', async () => {
  const tick = trigger('theirs.defi.tick', { triggerSpec: spec })
  const rules = [{ id: 'r', trigger: 'theirs.defi.tick', topic: 'moves', deprecated: false, requiredValues: [] }]
  bench.write('old/project.yaml', stringify(project('theirs.defi')))
  bench.write('old/triggers/tick.yaml', stringify({ ...tick, colour: 'red' }))
  bench.write('old/template.yml', stringify(template('theirs.defi', { rules })))
  bench.write('old/notes.yaml', 'just: words\n')
  bench.write('old/triggers/broken.yaml', stringify({ ...tick, fullname: 'theirs.defi.broken', inputs: 7 }))
  const imported = await bench.inside('import', 'web3alert', 'old')
  const moved = 'moved from the workspace theirs to imports'
  expect(imported).toMatchObject({ code: 0, err: '' })
  expect(imported.out.trim().split('\n').toSorted()).toEqual([
    'notes.yaml: not possible: is neither a project nor a trigger nor a template',
    `project theirs.defi: changed: ${moved}`,
    `template template.yml: changed: ${moved}`,
    expect.stringMatching(/^trigger theirs\.defi\.broken: not possible: inputs /),
    `trigger theirs.defi.tick: changed: ${moved}; the field colour is not known and was left out`,
  ])
  expect(await bench.inside('validate')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('apply', '--yes')).toMatchObject({ code: 0 })
  expect(await team.owner.getTrigger({ fullname: 'imports.defi.tick' })).toMatchObject({ workspace: 'imports' })
})

test('a definition that the stack has already is not replaced, and nothing is written', async () => {
  bench.write('old/project.yaml', stringify(project('imports.defi')))
  bench.write('old/tick.yaml', stringify(trigger('imports.defi.tick', { triggerSpec: spec })))
  expect(await bench.inside('import', 'web3alert', 'old')).toMatchObject({ code: 0 })
  const before = bench.files()
  bench.write('old/tock.yaml', stringify(trigger('imports.defi.tock', { triggerSpec: spec })))
  const { 'old/tock.yaml': _added, ...rest } = bench.files()
  expect(rest).toEqual(before)
  const again = await bench.inside('import', 'web3alert', 'old')
  expect(again.code).toBe(1)
  expect(again.err).toContain('trigger imports.defi.tick')
  expect(Object.keys(bench.files())).not.toContain('triggers/defi.tock.yaml')
})

const address = `0x${'a1'.repeat(20)}`
const moved = 'Transfer(address,address,uint256)'
const paused = { type: 'event', name: 'Paused', inputs: [] }
const leftOut = (id: string) => `the channel ${id} is left out: it is not among the files, or not possible`

test('monitors and channels whose names differ only in signs get names of their own, and say which channels they lost', async () => {
  const monitor = (name: string, triggers: string[]) => ({
    name,
    networks: ['local'],
    addresses: [{ address, contract_spec: [transferEvent] }],
    match_conditions: { events: [{ signature: moved }] },
    triggers,
  })
  const url = { type: 'plain', value: 'https://example.org/hook' }
  const files = {
    networks: { network_type: 'EVM', slug: 'local', rpc_urls: [{ url }] },
    channels: {
      hook_1: { trigger_type: 'slack', config: { slack_url: url } },
      'hook-1': { trigger_type: 'slack', config: { slack_url: url } },
      run: { trigger_type: 'script', config: {} },
    },
    first: monitor('Large!', ['hook_1', 'hook-1']),
    second: monitor('Large', ['hook-1', 'run', 'gone']),
  }
  for (const [name, value] of Object.entries(files)) bench.write(`old/${name}.json`, JSON.stringify(value))
  expect(await report(bench, 'openzeppelin-monitor', 'old')).toMatchObject({
    'monitor Large!': 'exact',
    'monitor Large': `changed: ${leftOut('run')}; ${leftOut('gone')}`,
  })
  expect(Object.keys(bench.files()).filter((file) => /^(?:triggers|resources|subscriptions)/.test(file))).toHaveLength(
    7,
  )
  expect(await bench.inside('validate')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('plan')).toMatchObject({ code: 2, err: '' })
})

test('answers of the API of Defender keep every set of conditions, and what cannot be imported has a line', async () => {
  const set = (more: object) => ({ txConditions: [], eventConditions: [], functionConditions: [], ...more })
  const event = (eventSignature: string) => set({ eventConditions: [{ eventSignature }] })
  const call = { functionSignature: 'pause()' }
  const abi = JSON.stringify([transferEvent, paused, { type: 'function', name: 'pause', inputs: [] }])
  const rule = { addresses: [address], abi, conditions: [event(moved), event('Paused()')] }
  const about = { type: 'BLOCK', blockWatcherId: 'mainnet-2', notifyConfig: { notifications: [] } }
  const failed = [{ status: 'failed', expression: 'value > 7' }]
  const alternatives = [event(moved), set({ functionConditions: [call], txConditions: failed })]
  const items = [
    { ...about, name: 'Two events', addressRules: [rule] },
    { ...about, name: 'Two-events', addressRules: [{ ...rule, conditions: alternatives }] },
    { ...about, name: 'Two rules', addressRules: [rule, { ...rule, addresses: [address.replaceAll('a', 'b')] }] },
    { type: 'FORTA', name: 'Bots', fortaRule: {}, notifyConfig: { notifications: [] } },
    { actionId: '1', name: 'Clean up' },
    { relayerId: '2', name: 'Payer' },
  ]
  bench.write('old/monitors.json', JSON.stringify({ items }))
  const several = 'changed: an event or a call alone is enough, and a transaction with both gives an alert for each'
  const noCode = 'not possible: Tocsin sends alerts; it does not run code or send transactions'
  expect(await report(bench, 'defender', 'old')).toEqual({
    'monitor Two events': 'exact',
    'monitor Two-events': several,
    'monitor Two rules': several,
    'monitor Bots': 'not possible: it listens to Forta, which Tocsin does not read',
    'action Clean up': noCode,
    'relayer Payer': noCode,
  })
  const triggers = Object.entries(bench.files()).filter(([file]) => file.startsWith('triggers/'))
  const specs = triggers
    .map(([, text]) => parse(text))
    .map(({ fullname, triggerSpec, activation }) => ({
      fullname,
      type: triggerSpec.type,
      dataSource: triggerSpec.dataSource,
      names: triggerSpec.abiFragment.map(({ name }: { name: string }) => name),
      activation: activation?.source,
    }))
  const dataSource = 'common.ethereum'
  const log = { type: 'evm_log', dataSource, names: ['Transfer', 'Paused'] }
  expect(specs.toSorted((a, b) => (a.fullname < b.fullname ? -1 : 1))).toMatchObject([
    { fullname: 'imports.ported.two-events', ...log },
    { fullname: 'imports.ported.two-events-2', ...log, names: ['Transfer'], activation: undefined },
    {
      fullname: 'imports.ported.two-events-3',
      ...{ type: 'evm_call', dataSource, names: ['pause'] },
      activation: expect.stringMatching(/!\(source\.success\) && holds/),
    },
    { fullname: 'imports.ported.two-rules', ...log },
    { fullname: 'imports.ported.two-rules-2', ...log },
  ])
  expect(await bench.inside('validate')).toMatchObject({ code: 0, err: '' })
  expect(await bench.inside('plan')).toMatchObject({ code: 2, err: '' })
})

test('an unknown format, a missing path and a file that cannot be read are told, with exit code 1', async () => {
  expect(await bench.inside('import', 'nagios', '.')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no format "nagios"'),
  })
  expect(await bench.inside('import', 'web3alert', 'nowhere')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no file or folder'),
  })
  mkdirSync(join(bench.folder, 'empty'))
  expect(await bench.inside('import', 'web3alert', 'empty')).toMatchObject({
    code: 1,
    err: 'tocsin: empty has no definitions of web3alert.\n',
  })
  bench.write('old/a.yaml', 'a: [1\nb: 2\n')
  expect(await bench.inside('import', 'web3alert', 'old')).toMatchObject({
    code: 1,
    err: expect.stringContaining('a.yaml:2'),
  })
})
