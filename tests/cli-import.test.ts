import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { makeWorkbench, type Workbench } from './harness/cli.ts'
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
