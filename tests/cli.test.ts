import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { DefinitionKind } from '@tocsin/contract'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { foldersOfKinds } from '../cli/src/folder/kinds.ts'
import { addAlert } from './harness/alerts.ts'
import { type CliResult, commandWords, makeWorkbench, type Workbench } from './harness/cli.ts'
import {
  addressList,
  customSource,
  type Harness,
  project,
  resource,
  sharedHarness,
  subscription,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team
let bench: Workbench
let count = 0
/** Every test has a stack of its own, and its entities have its name. */
let stack: string
beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('clicorp')
})
beforeEach(() => {
  stack = `s${++count}`
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token })
  bench.write('tocsin.yaml', `apiVersion: 1\nworkspace: clicorp\nstack: ${stack}\n`)
})
afterEach(() => bench.remove())

const write = (kind: DefinitionKind, name: string, payload: object) =>
  bench.write(`${foldersOfKinds[kind]}/${name}.yaml`, stringify(payload))
const json = ({ out }: CliResult) => JSON.parse(out)
const actions = (result: CliResult) =>
  json(result)
    .changes.filter(({ action }: { action: string }) => action !== 'none')
    .map(({ action, kind, fullname }: Record<string, string>) => `${action} ${kind} ${fullname}`)
    .toSorted()

/** One entity of every kind, with the secrets in variables. */
function writeEveryKind(): void {
  const fullname = `clicorp.${stack}`
  const { mode, ...source } = customSource(`clicorp.${stack}-chain`, { endpoints: [`\${env:NODE_URL}`] })
  const provider = {
    id: 'rate',
    type: 'http' as const,
    url: 'https://api.example.org',
    headers: { authorization: `Bearer \${env:RATE_KEY}` },
  }
  write('source', 'chain', source)
  write('address-list', 'list', addressList(`clicorp.${stack}-list`))
  write('project', 'project', project(fullname))
  write('resource', 'hook', resource(`clicorp.${stack}-hook`, { data: { url: `\${env:HOOK_URL}` }, project: fullname }))
  write('template', 'main', { key: 'main', ...template(fullname) })
  bench.write('triggers/code.js', '({ raw: { at: source.now } })\n')
  write('trigger', 'moved', {
    ...trigger(`${fullname}.moved`, { providers: [provider] }),
    transform: { file: 'code.js' },
  })
  write('subscription', 'direct', { key: 'direct', ...subscription(`${fullname}.moved`) })
  write('subscription', 'moves', {
    key: 'moves',
    workspace: 'clicorp',
    project: fullname,
    template: 'main',
    topics: ['moves'],
    values: { wallet: '0x1' },
    resources: [`clicorp.${stack}-hook`],
  })
  Object.assign(bench.env, secrets)
}
const secrets = {
  NODE_URL: 'https://rpc.example.org/secret-1',
  HOOK_URL: 'https://example.org/secret-2',
  RATE_KEY: 'secret-3',
}

test('a stack of every kind: validate, plan, apply, an empty plan, and a pull that changes nothing', async () => {
  writeEveryKind()
  const before = bench.files()
  expect(await bench.inside('validate')).toMatchObject({
    code: 0,
    out: `8 files valid (checked here and by ${house.url}).\n`,
    err: '',
  })
  const plan = await bench.inside('plan', '--json')
  expect(plan.code).toBe(2)
  expect(actions(plan)).toHaveLength(8)
  const text = await bench.tocsin('plan')
  expect(text).toMatchObject({ code: 2, err: '' })
  expect(text.out).toContain(`+ create trigger clicorp.${stack}.moved\n`)
  expect(text.out).toMatch(/Plan: 8 to create, 0 to update, 0 to delete, 0 unchanged.\n$/)
  const applied = await bench.tocsin('apply')
  expect(applied.code).toBe(0)
  expect(applied.out).toMatch(/Applied 8 changes.\n$/)
  expect([text.out, plan.out, applied.out].join()).not.toMatch(/secret-\d/)
  expect(await bench.inside('plan')).toMatchObject({
    code: 0,
    out: 'No changes: the server has what the 8 files define.\n',
  })
  expect(await bench.tocsin('pull')).toMatchObject({ code: 0 })
  expect(bench.files()).toEqual(before)
})

test('a pull into an empty folder writes every kind with variables for secrets, and a plan with them is empty', async () => {
  writeEveryKind()
  await bench.inside('apply')
  const other = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token })
  expect(await other.inside('init', '--workspace', 'clicorp', '--stack', stack)).toMatchObject({ code: 0 })
  const pulled = json(await other.inside('pull', '--json'))
  expect(pulled.files.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(
    [...Object.keys(foldersOfKinds), 'subscription'].toSorted(),
  )
  expect(JSON.stringify(other.files())).not.toMatch(/secret-\d/)
  const files = other.files()
  expect(files[`triggers/${stack}.moved.yaml`]).toContain('# yaml-language-server: $schema=')
  expect(files['subscriptions/moves.yaml']).toContain('template: main')
  const values: Record<string, string> = {
    'endpoints.0': secrets.NODE_URL,
    'data.url': secrets.HOOK_URL,
    'providers.0.headers.authorization': `Bearer ${secrets.RATE_KEY}`,
  }
  expect(await other.inside('plan')).toMatchObject({ code: 1, err: expect.stringMatching(/variable \w+ is not set/) })
  const { resource } = { resource: await team.owner.getResource({ fullname: `clicorp.${stack}-hook` }) }
  for (const { name, path } of pulled.variables)
    other.env[name] = values[path] ?? String(resource.data?.[path.split('.')[1]])
  expect(await other.inside('plan')).toMatchObject({ code: 0, err: '' })
  expect(await other.inside('pull')).toMatchObject({ code: 0, out: expect.stringContaining('0 files changed') })
  expect(other.files()).toEqual(files)
  other.remove()
})

test('a pull brings edits of others into the files, and keeps comments, file references and variables', async () => {
  writeEveryKind()
  const file = 'triggers/moved.yaml'
  bench.write(file, `# Why this trigger exists\n${bench.read(file)}`)
  await bench.inside('apply')
  const fullname = `clicorp.${stack}.moved`
  await team.owner.patchTrigger({ fullname, body: { set: { 'meta.title': `A $\{env:X}`, transform: '({ raw: 2 })' } } })
  expect(await bench.inside('plan')).toMatchObject({
    code: 2,
    out: expect.stringContaining('Changed by others since the last apply'),
  })
  expect(
    json(await bench.inside('pull', '--json')).files.filter(({ action }: { action: string }) => action === 'updated'),
  ).toMatchObject([{ file }, { file: 'triggers/code.js' }])
  const text = bench.read(file)
  expect(text).toContain('# Why this trigger exists')
  expect(text).toContain(`Bearer \${env:RATE_KEY}`)
  expect(text).toContain('file: code.js')
  expect(bench.read('triggers/code.js')).toBe('({ raw: 2 })')
  expect(await bench.inside('plan')).toMatchObject({ code: 0 })
})

test('an issue of the server has its file and line, and nothing is applied', async () => {
  writeEveryKind()
  bench.write('triggers/code.js', 'this is not JavaScript')
  for (const command of ['validate', 'plan', 'apply']) {
    const { code, err } = await bench.inside(command)
    expect({ command, code }).toEqual({ command, code: 1 })
    expect(err).toMatch(
      /^tocsin: The server found \d problems. Nothing has changed.\n {2}triggers\/moved.yaml:\d+:1 transform/,
    )
  }
  expect(await team.owner.listProjects({ query: { workspace: 'clicorp' } })).not.toContainEqual(
    expect.objectContaining({ fullname: `clicorp.${stack}` }),
  )
})

test('a plan that no longer fits is not applied, and prune deletes what has no file', async () => {
  write('project', 'p', project(`clicorp.${stack}`))
  write('address-list', 'l', addressList(`clicorp.${stack}-list`))
  const { planHash } = json(await bench.inside('plan', '--json'))
  write('project', 'p', project(`clicorp.${stack}`, { tags: ['changed'] }))
  const refused = await bench.inside('apply', '--plan-hash', planHash, '--json')
  expect(refused.code).toBe(1)
  expect(json(refused).error).toMatchObject({ code: 'plan_changed' })
  const next = json(await bench.inside('plan', '--json'))
  expect(await bench.inside('apply', '--plan-hash', next.planHash)).toMatchObject({ code: 0 })
  const other = makeWorkbench(bench.env)
  other.write('tocsin.yaml', bench.read('tocsin.yaml'))
  other.write('projects/p.json', JSON.stringify(project(`clicorp.${stack}`, { tags: ['changed'] })))
  expect(await other.inside('plan')).toMatchObject({ code: 0 })
  expect(actions(await other.inside('plan', '--prune', '--json'))).toEqual([
    `delete address-list clicorp.${stack}-list`,
  ])
  expect(await other.inside('apply', '--prune', '--yes')).toMatchObject({ code: 0 })
  expect(json(await bench.inside('pull', '--json')).files).toContainEqual(
    expect.objectContaining({ file: 'address-lists/l.yaml', action: 'kept' }),
  )
  expect(await bench.inside('pull', '--prune')).toMatchObject({
    code: 0,
    out: expect.stringContaining('removed address-lists/l.yaml'),
  })
  expect(Object.keys(bench.files()).toSorted()).toEqual(['projects/p.yaml', 'tocsin.yaml'])
  other.remove()
})

describe('signing in', () => {
  test('login keeps the token in a file that only its owner can read', async () => {
    delete bench.env.TOCSIN_URL
    delete bench.env.TOCSIN_TOKEN
    expect(await bench.inside('plan')).toMatchObject({ code: 1, err: expect.stringContaining('Run `tocsin login`') })
    const login = await bench.tocsin('login', '--url', `${house.url}/`, '--token', team.owner.token)
    expect(login).toMatchObject({ code: 0, out: expect.stringContaining(team.owner.email) })
    expect(login.out).not.toContain(team.owner.token)
    expect(statSync(join(bench.env.HOME ?? '', '.config/tocsin/login.json')).mode & 0o777).toBe(0o600)
    expect(await bench.inside('plan')).toMatchObject({ code: 0 })
    // The token goes to the server that it was saved for, and to no other.
    bench.write('tocsin.yaml', `${bench.read('tocsin.yaml')}server: http://127.0.0.1:9\n`)
    expect(await bench.inside('plan')).toMatchObject({
      code: 1,
      err: expect.stringContaining('You are not signed in at http://127.0.0.1:9'),
    })
  })

  test('a token that the server refuses is not saved', async () => {
    bench.env.TOCSIN_TOKEN = 'tcs_wrong'
    expect(await bench.inside('login')).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not accept the token'),
    })
    delete bench.env.TOCSIN_TOKEN
    expect(await bench.inside('login', '--json')).toMatchObject({
      code: 1,
      out: expect.stringContaining('--token is required'),
    })
    expect(await bench.inside('plan')).toMatchObject({ code: 1, err: expect.stringContaining('You are not signed in') })
  })

  test('a stranger gets a sentence, and so does a member who may not save', async () => {
    write('project', 'p', project(`clicorp.${stack}`))
    bench.env.TOCSIN_TOKEN = team.stranger.token
    expect(json(await bench.inside('plan', '--json')).error).toMatchObject({ code: 'not_found' })
    bench.env.TOCSIN_TOKEN = team.user.token
    expect(json(await bench.inside('apply', '--json')).error).toMatchObject({ code: 'forbidden' })
  })
})

test('no network, a server that is not Tocsin and a server that is older: a sentence, and exit code 1', async () => {
  let version: string | undefined
  const server = createServer((_, response) => {
    response.writeHead(version ? 200 : 502, {
      'content-type': version ? 'application/json' : 'text/html',
      ...(version && { 'x-api-version': version }),
    })
    response.end(version ? '{"planHash":"x","changes":[],"drift":[],"issues":[]}' : '<h1>Bad gateway</h1>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  bench.env.TOCSIN_URL = `http://127.0.0.1:${port}`
  expect((await bench.inside('plan')).err).toMatch(/answered 502, but not as a Tocsin server does/)
  version = '0.0.9'
  const older = await bench.inside('plan')
  expect(older.code).toBe(1)
  expect(older.err).toMatch(/has version 0.0.9, which is older than this command \(0.1.0\)/)
  server.close()
  server.closeAllConnections()
  const gone = await bench.inside('plan', '--json')
  expect(gone.code).toBe(1)
  expect(json(gone).error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('cannot be reached') })
})

test('logs, alerts and open ask the server about the stack', async () => {
  writeEveryKind()
  await bench.inside('apply')
  const fullname = `clicorp.${stack}.moved`
  expect(await bench.inside('logs', fullname)).toMatchObject({ code: 0, out: `${fullname} is not_tested\n` })
  expect(await bench.inside('logs', fullname, '--status', 'odd')).toMatchObject({ code: 1 })
  expect(await bench.inside('alerts', '--trigger', fullname)).toMatchObject({ code: 0, out: 'No alerts.\n' })
  expect(await bench.inside('alerts', '--severity', 'odd')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--severity'),
  })
  expect(await bench.inside('open', fullname)).toMatchObject({
    code: 0,
    out: `${house.url}/w/clicorp/triggers/${fullname}\n`,
  })
  const tried = json(
    await bench.inside('trigger', 'test', fullname, '--input', 'item.json', '--json').then(async (missing) => {
      expect(missing).toMatchObject({ code: 1 })
      bench.write('item.json', '{"now": "2026-01-01T00:00:00.000Z"}')
      bench.write('triggers/moved.yaml', bench.read('triggers/moved.yaml').replace(/providers:[\s\S]*?(?=^\w)/m, ''))
      return bench.inside('trigger', 'test', fullname, '--input', 'item.json', '--json')
    }),
  )
  expect(tried.output).toMatchObject({ raw: { at: '2026-01-01T00:00:00.000Z' } })
})

test('alerts --follow shows the latest alerts and goes on with those that arrive, each once', async () => {
  writeEveryKind()
  await bench.inside('apply')
  const moved = `clicorp.${stack}.moved`
  const subscriptions = await team.owner.listSubscriptions({ query: { workspace: 'clicorp' } })
  const subscriptionId = subscriptions.find(({ trigger }) => trigger === moved)?.id ?? ''
  const add = () => addAlert(house.databaseUrl, { subscriptionId, trigger: moved, at: house.clock.now() })
  const before = await add()
  const following = bench.start('alerts', '--follow', '--json', '--trigger', moved)
  const ids = () => following.lines().map((line) => JSON.parse(line).id)
  await expect.poll(ids).toEqual([before])
  const after = await add()
  await expect.poll(ids).toEqual([before, after])
  await following.stop()
  expect((await bench.inside('alerts', '--trigger', moved)).out).toMatch(/info {2}delivered .* Told\n$/)
})

test('every command has a help text with examples', async () => {
  for (const words of commandWords()) {
    const help = await bench.inside(...words, '--help')
    expect({ words, code: help.code }).toEqual({ words, code: 0 })
    expect(help.out).toContain(`$ tocsin ${words.join(' ')}`)
  }
})

test('every command prints JSON with --json, its result and its errors', async () => {
  write('project', 'p', project(`clicorp.${stack}`))
  write('trigger', 'moved', trigger(`clicorp.${stack}.moved`))
  bench.write('item.json', '{"now": "2026-01-01T00:00:00.000Z"}')
  bench.write('foreign/triggers/odd.yaml', stringify(trigger('other.odd.moved')))
  const moved = `clicorp.${stack}.moved`
  const arguments_: Record<string, string[]> = {
    login: [],
    init: ['--workspace', 'clicorp', '--stack', 'x', '-C', 'new'],
    validate: [],
    plan: [],
    apply: [],
    pull: [],
    import: ['web3alert', 'foreign'],
    test: [],
    record: [],
    'trigger test': [moved, '--input', 'item.json'],
    backtest: [moved, '--blocks', '10'],
    logs: [moved],
    alerts: [],
    open: [moved],
    completion: ['bash'],
  }
  expect(Object.keys(arguments_).toSorted()).toEqual(
    commandWords()
      .map((words) => words.join(' '))
      .toSorted(),
  )
  const failing = makeWorkbench({ TOCSIN_URL: 'http://127.0.0.1:9', TOCSIN_TOKEN: 'tcs_x' })
  for (const [words, args] of Object.entries(arguments_)) {
    const done = await bench.inside(...words.split(' '), ...args, '--json')
    expect({ words, err: done.err, json: typeof json(done) }).toEqual({ words, err: '', json: 'object' })
    const failed = await failing.inside(...words.split(' '), '--nope', '--json')
    expect({ words, code: failed.code, err: failed.err }).toEqual({ words, code: 1, err: '' })
    expect(json(failed).error).toMatchObject({ message: expect.any(String) })
  }
  failing.remove()
})

test('wrong usage is an error, with --json as JSON', async () => {
  expect(await bench.inside('plan', '--nope')).toMatchObject({
    code: 1,
    out: '',
    err: "tocsin: unknown option '--nope'\n",
  })
  expect(json(await bench.inside('nope', '--json')).error).toMatchObject({ code: 'usage' })
  for (const words of [[], ['trigger']])
    expect(await bench.inside(...words)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^Usage: tocsin/),
    })
  expect(json(await bench.inside('--json')).error).toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^Name a command/),
  })
  expect((await bench.inside('alerts', '--severity', 'loud', '--limit', '0')).err).toBe(
    'tocsin: --limit must be at least 1; --severity must be one of info, warning, critical.\n',
  )
  expect((await bench.inside('logs', 'a.b.c', '--status', 'loud')).err).toMatch(/^tocsin: --status must be one of /)
  expect(await bench.inside('init', '--workspace', 'clicorp', '--stack', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('exists already'),
  })
})
