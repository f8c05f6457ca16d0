import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failure } from '../failure.ts'
import { problemText } from '../terminal/terminal.ts'
import { readFolder } from './read-folder.ts'

let base: string
let root: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tocsin-folder-'))
  root = join(base, 'stack')
  write('tocsin.yaml', 'apiVersion: 1\nworkspace: acme\nstack: prod\n')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const read = (env: Record<string, string> = {}) => readFolder({ cwd: root, folder: undefined, env }).entities

/** What is wrong in the folder, one line for each problem. */
function problems(env: Record<string, string> = {}): string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof Failure) return error.problems.map(problemText)
    throw error
  }
  throw new Error('The folder has no problems.')
}

const project = 'name: p\nfullname: acme.p\nworkspace: acme\npublic: false\nmeta: {title: P, description: About}\n'
const trigger = (more: string) =>
  `name: t\nfullname: acme.p.t\nproject: acme.p\nworkspace: acme\nbackend: {type: sdk}\ninputs: {}\nmeta: {title: T}\n${more}`
const hook = 'name: hook\nfullname: acme.hook\nworkspace: acme\nblueprint: common.delivery.webhook\n'

test('a file in YAML and one in JSON become the payloads of their kinds, found from a folder below', () => {
  write('projects/p.yaml', project)
  write(
    'triggers/deep/down/t.json',
    JSON.stringify({
      name: 't',
      fullname: 'acme.p.t',
      project: 'acme.p',
      workspace: 'acme',
      backend: { type: 'sdk' },
      inputs: {},
      meta: { title: 'T' },
    }),
  )
  write(
    'sources/s.yml',
    'mode: create\nname: s\nfullname: acme.s\nworkspace: acme\nkind: evm\nendpoints: ["https://node.example.org"]\nmeta: {title: S}\n',
  )
  write('triggers/README.md', 'Not a definition')
  const { stack, entities } = readFolder({ cwd: join(root, 'triggers/deep'), folder: undefined, env: {} })
  expect(stack).toMatchObject({ workspace: 'acme', stack: 'prod' })
  expect(entities.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
    'project acme.p',
    'source acme.s',
    'trigger acme.p.t',
  ])
  expect(entities.find(({ kind }) => kind === 'source')?.payload.mode).toBeUndefined()
})

test('a file takes the place of JavaScript and of an ABI, and a JSON file that is an ABI is no trigger', () => {
  write(
    'triggers/t.yaml',
    trigger(
      'transform: {file: code/t.js}\nactivation:\n  source: {file: ../common/active.js}\ntriggerSpec: {type: evm_log, dataSource: common.ethereum, abiFragment: {file: erc20.json}}\n',
    ),
  )
  write('triggers/code/t.js', 'return {raw: 1}')
  write('common/active.js', 'return true')
  write('triggers/erc20.json', '[{"type": "event", "name": "Transfer", "inputs": []}]')
  const [entity] = read()
  expect(entity?.payload).toMatchObject({
    transform: 'return {raw: 1}',
    activation: { source: 'return true' },
    triggerSpec: { abiFragment: [{ name: 'Transfer' }] },
  })
  expect(entity?.includes.map(({ file }) => file).toSorted()).toEqual([
    'common/active.js',
    'triggers/code/t.js',
    'triggers/erc20.json',
  ])
})

test('a file outside the folder is refused, by its path, by a link and by a linked folder', () => {
  writeFileSync(join(base, 'secret.js'), 'secret')
  mkdirSync(join(base, 'elsewhere'))
  writeFileSync(join(base, 'elsewhere/x.js'), 'secret')
  write(
    'triggers/t.yaml',
    trigger(
      'transform: {file: ../../secret.js}\nactivation: {file: link.js}\nproviders:\n  - {id: a, type: javascript, source: {file: linked/x.js}}\n  - {id: b, type: javascript, source: {file: /etc/hostname}}\n  - {id: c, type: javascript, source: {file: gone.js}}\n',
    ),
  )
  symlinkSync(join(base, 'secret.js'), join(root, 'triggers/link.js'))
  symlinkSync(join(base, 'elsewhere'), join(root, 'triggers/linked'))
  expect(problems()).toEqual([
    'triggers/t.yaml:8:1 transform: "../secret.js" is outside the folder of the stack',
    'triggers/t.yaml:9:1 activation: "triggers/link.js" is a link to a file outside the folder of the stack',
    'triggers/t.yaml:11:31 providers.0.source: "triggers/linked/x.js" is a link to a file outside the folder of the stack',
    'triggers/t.yaml:12:31 providers.1.source: "triggers/etc/hostname" does not exist',
    'triggers/t.yaml:13:31 providers.2.source: "triggers/gone.js" does not exist',
  ])
})

test('an entity that is a link to a file outside the folder is refused', () => {
  writeFileSync(join(base, 'p.yaml'), project)
  mkdirSync(join(root, 'projects'))
  symlinkSync(join(base, 'p.yaml'), join(root, 'projects/p.yaml'))
  expect(problems()).toEqual(['projects/p.yaml "projects/p.yaml" is a link to a file outside the folder of the stack'])
})

test('variables are filled in, a doubled dollar writes one as text, and every missing one is named with its place', () => {
  write('resources/hook.yaml', `${hook}data:\n  url: "https://\${env:HOST}/\${env:KEY}"\n  note: "$\${env:KEY}"\n`)
  expect(read({ HOST: 'example.org', KEY: 'k1' })[0]?.payload.data).toEqual({
    url: 'https://example.org/k1',
    note: `\${env:KEY}`,
  })
  expect(problems({ HOST: '' })).toEqual([
    'resources/hook.yaml:6:3 data.url: the variable HOST is not set',
    'resources/hook.yaml:6:3 data.url: the variable KEY is not set',
  ])
  write('resources/hook.yaml', `${hook}data: {url: "\${env:not a name}"}\n`)
  expect(problems()).toEqual([
    `resources/hook.yaml:5:8 data.url: "\${env:not a name}" does not name a variable: write \${env:NAME}`,
  ])
})

test('an error in YAML or JSON has its line and column', () => {
  write('projects/a.yaml', 'name: p\nmeta: {title: x\npublic: true\n')
  write('projects/b.yaml', 'name: p\nname: q\n')
  write('projects/c.json', '{\n  "name": "p",\n}')
  write('projects/d.yaml', 'name: 12345678901234567890\n')
  write('projects/e.yaml', '- a list\n')
  const found = problems()
  expect(found.filter((line) => /^projects\/\w\.\w+:\d+:\d+ /.test(line))).toEqual(found)
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'projects/a.yaml:3:1',
    'projects/b.yaml:2:1',
    'projects/c.json:3:1',
    'projects/d.yaml:1:1',
    'projects/e.yaml:1:1',
  ])
  expect(found[3]).toContain('write it in quotes')
})

test('unknown fields are named with their line, at every depth, and free-form objects keep theirs', () => {
  write(
    'triggers/t.yaml',
    trigger(
      'fullnam: x\nlabels: {any: thing}\nproviders:\n  - id: a\n    type: http\n    url: https://example.org\n    heders: {}\ntriggerSpec:\n  type: evm_log\n  dataSource: common.ethereum\n  adress: "0x"\n  testInput: {any: thing}\n',
    ),
  )
  write('resources/hook.yaml', `${hook}data: {url: "https://example.org", any: thing}\nmeta: {titel: x}\n`)
  expect(problems()).toEqual([
    'triggers/t.yaml:8:1 fullnam: is not a known field',
    'triggers/t.yaml:14:5 providers.0.heders: is not a known field',
    'triggers/t.yaml:18:3 triggerSpec.adress: is not a known field',
    'resources/hook.yaml:6:8 meta.titel: is not a known field',
  ])
})

test('a missing field, another workspace and two files for one entity are named', () => {
  write('projects/a.yaml', project)
  write(
    'projects/b.json',
    JSON.stringify({
      name: 'p',
      fullname: 'acme.p',
      workspace: 'acme',
      public: false,
      meta: { title: 'P', description: '' },
    }),
  )
  write('resources/x.yaml', 'name: hook\nfullname: other.hook\nworkspace: other\nmeta: {}\n')
  expect(problems()).toEqual([
    'resources/x.yaml:1:1 blueprint: is required',
    'resources/x.yaml:3:1 workspace: must be acme, the workspace of the stack',
    'projects/b.json:1:1 defines the project acme.p, which projects/a.yaml defines too',
  ])
})

test('tocsin.yaml itself is checked, and a folder without it says what to do', () => {
  write('tocsin.yaml', 'apiVersion: 2\nworkspace: acme\nstak: x\n')
  expect(problems().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'tocsin.yaml:1:1 apiVersion:',
    'tocsin.yaml:1:1 stack:',
    'tocsin.yaml:3:1 stak:',
  ])
  expect(() => readFolder({ cwd: base, folder: '.', env: {} })).toThrow(/has no tocsin.yaml. Run `tocsin init`/)
})
