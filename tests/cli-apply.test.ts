import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { makeWorkbench, type Workbench } from './harness/cli.ts'
import { addressList, type Harness, project, sharedHarness, type Team } from './harness/index.ts'

let house: Harness
let team: Team
let bench: Workbench
let count = 0
let stack: string
beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('applycorp')
})
beforeEach(() => {
  stack = `s${++count}`
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token })
  bench.write('tocsin.yaml', `apiVersion: 1\nworkspace: applycorp\nstack: ${stack}\n`)
  for (let at = 0; at < 20; at++)
    bench.write(`address-lists/${at}.yaml`, stringify(addressList(`applycorp.${stack}-${at}`)))
})
afterEach(() => bench.remove())

const actions = async () =>
  JSON.parse((await bench.inside('plan', '--json')).out).changes.map(({ action }: { action: string }) => action)
const all = (action: string) => Array.from({ length: 20 }, () => action)

/** A server in front of the service that handles an apply in its own way and passes on everything else. */
let atApply: (incoming: IncomingMessage, outgoing: ServerResponse) => void
const proxy = createServer((incoming, outgoing) => {
  if (incoming.url?.endsWith('/apply')) atApply(incoming, outgoing)
  else passOn(incoming, outgoing)
})
beforeAll(() => new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening)))
afterAll(() => {
  proxy.closeAllConnections()
  proxy.close()
})
const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, answered = () => {}): void {
  const { method, headers, url } = incoming
  const passed = request(`${house.url}${url}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
    response.once('end', answered)
  })
  passed.once('error', () => outgoing.destroy())
  incoming.pipe(passed)
}

test('a command that is killed while it sends an apply leaves nothing of it, and the next apply does all', async () => {
  const arrived = new Promise<void>((begun) => {
    atApply = (incoming) => {
      // The service gets a part of the body and then the end of the connection.
      const { method, headers, url } = incoming
      const cut = request(`${house.url}${url}`, { method, headers })
      cut.once('error', () => undefined)
      incoming.once('data', (chunk: Buffer) => cut.write(chunk.subarray(0, chunk.length / 2), () => begun()))
      incoming.once('close', () => cut.destroy())
    }
  })
  const command = startApply()
  await arrived
  await command.stop('SIGKILL')
  expect(await actions()).toEqual(all('create'))
  expect(await bench.inside('apply')).toMatchObject({ code: 0 })
  expect(await actions()).toEqual(all('none'))
})

test('a command that is killed after it sent an apply leaves all of it, and a repeat changes nothing', async () => {
  let command: ReturnType<typeof startApply> | undefined
  const applied = new Promise<void>((answered) => {
    atApply = (incoming, outgoing) => {
      incoming.once('end', () => void command?.stop('SIGKILL'))
      passOn(incoming, outgoing, answered)
    }
  })
  command = startApply()
  await applied
  expect(await actions()).toEqual(all('none'))
  expect(await bench.inside('apply')).toMatchObject({ code: 0, out: expect.stringContaining('No changes') })
})

function startApply() {
  const { TOCSIN_URL } = bench.env
  bench.env.TOCSIN_URL = proxyUrl()
  const command = bench.start('apply')
  bench.env.TOCSIN_URL = TOCSIN_URL ?? ''
  return command
}

test('what others changed is drift until the next apply, also if the files already have it', async () => {
  expect(await bench.inside('apply')).toMatchObject({ code: 0 })
  const fullname = `applycorp.${stack}-0`
  await team.owner.saveAddressList({ fullname, body: addressList(fullname, { meta: { title: 'By hand' } }) })
  expect((await bench.inside('pull')).code).toBe(0)
  const drift = async () => JSON.parse((await bench.inside('plan', '--json')).out).drift
  expect(await drift()).toMatchObject([{ fullname, diff: [{ path: 'meta.title', to: 'By hand' }] }])
  expect(await bench.inside('apply')).toMatchObject({ code: 0, out: expect.stringContaining('No changes') })
  expect(await drift()).toEqual([])
})

test('a plan does not print the value of a variable that others replaced, before and after a pull', async () => {
  const fullname = `applycorp.${stack}-0`
  const withTitle = (title: string) => addressList(fullname, { meta: { title } })
  const owner = `\${env:OWNER}`
  // Another file has the variable still, so the command knows its value.
  bench.write('address-lists/0.yaml', stringify(withTitle(`List of ${owner}`)))
  bench.write('address-lists/1.yaml', stringify(addressList(`applycorp.${stack}-1`, { meta: { title: owner } })))
  bench.env.OWNER = 'top-secret'
  expect(await bench.inside('apply')).toMatchObject({ code: 0 })
  await team.owner.saveAddressList({ fullname, body: withTitle('By hand') })
  const before = await bench.inside('plan')
  expect((await bench.inside('pull')).code).toBe(0)
  const after = await bench.inside('plan')
  for (const { out } of [before, after, await bench.inside('plan', '--json')]) {
    expect(out).toContain('By hand')
    expect(out).not.toContain('top-secret')
  }
})

test('bad input is a sentence with its place and exit code 1, and nothing is applied', async () => {
  const good = 'projects/p.yaml'
  const payload = stringify(project(`applycorp.${stack}`))
  const cases: [string, Record<string, string>, RegExp][] = [
    ['YAML that cannot be read', { [good]: `${payload}  - : [` }, /projects\/p\.yaml:\d+:\d+ /],
    ['an unknown field', { [good]: `${payload}colour: red\n` }, /projects\/p\.yaml:\d+:1 colour: /],
    [
      'a variable that is not set',
      { [good]: `${payload}tags: ["\${env:NO_SUCH}"]\n` },
      /the variable NO_SUCH is not set/,
    ],
    [
      'two files for one entity',
      { [good]: payload, 'projects/q.json': JSON.stringify(project(`applycorp.${stack}`)) },
      /projects\/q\.json.*projects\/p\.yaml/,
    ],
    [
      'a reference that leads out of the folder',
      { 'triggers/t.yaml': 'transform: { file: ../../x.js }\n' },
      /outside the folder/,
    ],
  ]
  for (const [title, files, message] of cases) {
    const other = makeWorkbench(bench.env)
    for (const [file, text] of Object.entries({ ...bench.files(), ...files })) other.write(file, text)
    for (const command of ['validate', 'plan', 'apply']) {
      const { code, err, out } = await other.inside(command)
      expect({ title, command, code, out }).toEqual({ title, command, code: 1, out: '' })
      expect(err).toMatch(/^tocsin: [A-Z].*\.\n/)
      expect(err).toMatch(message)
    }
    other.remove()
  }
  expect(await actions()).toEqual(all('create'))
})
