import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { addAlert } from './harness/alerts.ts'
import { type CliResult, makeWorkbench, type Workbench } from './harness/cli.ts'
import { addressList, type Harness, project, sharedHarness, subscription, type Team, trigger } from './harness/index.ts'
import { hasTerminal, startOnTerminal } from './harness/terminal.ts'

/** What strangers can do through the command: by texts that it shows, and by a folder that names a server of theirs. */
let house: Harness
let team: Team
let bench: Workbench
beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('safecorp')
})
beforeEach(() => {
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token, HOOK_SECRET: 'a-value-of-mine' })
  bench.write('tocsin.yaml', 'apiVersion: 1\nworkspace: safecorp\nstack: safe\n')
})
afterEach(() => bench.remove())

describe('a text of a chain or a stranger leaves without control characters', () => {
  // It sets the title, writes to the clipboard, clears the line, hides and turns what follows, and begins a new line.
  const hostile = `\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u009b2K\r\u001b[8m\u202e2026-01-01 critical\n2026-01-01  faked`
  const acts = /[^\P{Cc}\n]|\p{Bidi_Control}/u
  const fullname = 'safecorp.p.moved'
  const requireSafe = ({ out, err }: CliResult) => {
    expect(acts.exec(`${out}${err}`)).toBeNull()
    expect(`${out}${err}`).not.toMatch(/^2026-01-01 {2}faked/m)
    return { out, err }
  }
  let subscriptionId: string
  const tell = () =>
    addAlert(house.databaseUrl, { subscriptionId, trigger: fullname, at: house.clock.now(), title: hostile })

  beforeAll(async () => {
    await team.owner.saveProject({ fullname: 'safecorp.p', body: project('safecorp.p') })
    await team.owner.saveTrigger({ fullname, body: trigger(fullname) })
    subscriptionId = (await team.owner.createSubscription({ body: subscription(fullname) })).id
    const { id: triggerId } = await house.database
      .query('select id from triggers where fullname = $1', [fullname])
      .then(({ rows }) => rows[0])
    await house.service.store.triggerLogs.record(
      { triggerId, kind: 'delivery_failure', status: 'failed', reasonCode: 'script_failed', message: hostile },
      house.clock.now(),
    )
  })

  test('in lists of alerts and in logs', async () => {
    await tell()
    expect(requireSafe(await bench.inside('alerts')).out).toContain('\\u001b]0;owned\\u0007')
    expect(requireSafe(await bench.inside('logs', fullname)).out).toContain('\\u009b2K\\u000d')
    const [alert] = JSON.parse(requireSafe(await bench.inside('alerts', '--json')).out)
    expect(alert.message.title).toBe(hostile)
    const { logs } = JSON.parse(requireSafe(await bench.inside('logs', fullname, '--json')).out)
    expect(logs[0].message).toBe(hostile)
  })

  test('while alerts are followed', async () => {
    for (const form of [[], ['--json']]) {
      const following = bench.start('alerts', '--follow', '--trigger', fullname, '--limit', '1', ...form)
      await expect.poll(() => following.lines()).toHaveLength(1)
      await tell()
      await expect.poll(() => following.lines()).toHaveLength(2)
      await following.stop()
      for (const line of following.lines()) {
        expect(acts.exec(line)).toBeNull()
        if (form.length > 0) expect(JSON.parse(line).message.title).toBe(hostile)
        else expect(line).toContain('\\u001b]0;owned')
      }
    }
  })

  test('in outputs and logs of a test, in errors and in plans', async () => {
    bench.write('item.json', JSON.stringify({ text: hostile }))
    const transform = '(console.log(source.text), { text: source.text })'
    bench.write('triggers/moved.yaml', stringify(trigger(fullname, { transform, providers: [] })))
    const words = ['trigger', 'test', fullname, '--input', 'item.json']
    const { out } = requireSafe(await bench.inside(...words))
    expect(out).toMatch(/Log:\n.*\\u001b\]0;owned/)
    const tried = JSON.parse(requireSafe(await bench.inside(...words, '--json')).out)
    expect(tried).toMatchObject({ output: { raw: { text: hostile } }, debug: { logs: [{ message: hostile }] } })
    bench.write('triggers/moved.yaml', stringify({ ...trigger(fullname), [hostile]: 1, meta: { title: hostile } }))
    for (const command of ['plan', 'validate', 'apply'])
      for (const form of [[], ['--json']]) requireSafe(await bench.inside(command, ...form))
    requireSafe(await bench.inside('logs', hostile))
    requireSafe(await bench.inside(hostile))
    requireSafe(await bench.inside('alerts', '--severity', hostile, '--json'))
  })
})

describe('a folder that names a server of somebody else', () => {
  let other: Awaited<ReturnType<typeof startRecorder>>
  beforeAll(async () => {
    other = await startRecorder()
  })
  afterAll(() => other.close())
  beforeEach(() => {
    other.requests.length = 0
    delete bench.env.TOCSIN_URL
    bench.write('tocsin.yaml', `apiVersion: 1\nworkspace: safecorp\nstack: safe\nserver: ${other.url}\n`)
    const meta = { title: `\${env:HOOK_SECRET}` }
    bench.write('address-lists/a.yaml', stringify(addressList('safecorp.a', { meta })))
  })
  const refused = { code: 1, err: expect.stringContaining('where you did not sign in. Your token was not sent.') }

  test.each([
    ['plan'],
    ['apply', '--yes'],
    ['validate'],
    ['pull'],
    ['logs', 'safecorp.p.moved'],
    ['alerts'],
    ['alerts', '--follow'],
    ['backtest', 'safecorp.p.moved'],
    ['trigger', 'test', 'safecorp.p.moved'],
    ['open'],
  ])('gets neither the token nor a variable without a question: %s', async (...words) => {
    const result = await bench.inside(...words)
    expect(result).toMatchObject(refused)
    expect(result.err).toContain(new URL(other.url).host)
    expect(JSON.parse((await bench.inside(...words, '--json')).out).error.code).toBe('server_not_trusted')
    expect(other.requests).toEqual([])
  })

  test('gets them if the person named it in TOCSIN_URL or signed in there', async () => {
    bench.env.TOCSIN_URL = other.url
    await bench.inside('plan')
    expect(other.requests.join()).toContain(team.owner.token)
    expect(other.requests.join()).toContain('a-value-of-mine')
    other.requests.length = 0
    delete bench.env.TOCSIN_URL
    // This server answers every request, so it accepts the token.
    expect(await bench.inside('login', '--url', other.url, '--token', 'a-token-of-there')).toMatchObject({ code: 0 })
    delete bench.env.TOCSIN_TOKEN
    await bench.inside('plan')
    expect(other.requests.join()).toContain('Bearer a-token-of-there')
    expect(other.requests.join()).not.toContain(team.owner.token)
  })

  test('is not reached by an address that looks like another one', async () => {
    const { host } = new URL(other.url)
    bench.write('tocsin.yaml', `apiVersion: 1\nworkspace: safecorp\nstack: safe\nserver: http://127.0.0.1:1@${host}\n`)
    expect(await bench.inside('plan')).toMatchObject({ code: 1 })
    expect(other.requests).toEqual([])
  })

  test.runIf(hasTerminal())('is asked about once on a terminal, with its host', async () => {
    const question = `names the server ${new URL(other.url).host}.`
    const no = startOnTerminal(bench, 'plan')
    await no.shows(question)
    no.type('n')
    expect(await no.exitCode).toBe(1)
    expect(no.text()).toContain('Nothing was sent to')
    expect(other.requests).toEqual([])
    const yes = startOnTerminal(bench, 'plan')
    await yes.shows(question)
    yes.type('y')
    await yes.exitCode
    expect(other.requests.join()).toContain(team.owner.token)
    other.requests.length = 0
    // The answer is kept, also for runs without a terminal.
    expect((await bench.inside('plan')).err).not.toContain('did not sign in')
    expect(other.requests).not.toEqual([])
  })

  test('a redirect takes nothing to another server', async () => {
    const moved = createServer((_, response) => {
      response.writeHead(307, { location: `${other.url}/api/plan` })
      response.end()
    })
    await once(moved.listen(0, '127.0.0.1'), 'listening')
    bench.env.TOCSIN_URL = `http://127.0.0.1:${(moved.address() as AddressInfo).port}`
    const { error } = JSON.parse((await bench.inside('plan', '--json')).out)
    expect(error).toMatchObject({ code: 'redirected', message: expect.stringContaining(other.url) })
    expect(other.requests).toEqual([])
    moved.closeAllConnections()
    moved.close()
  })
})

/** A server that records what it gets, and answers as the plan of an empty stack and as an account. */
async function startRecorder() {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
    response.writeHead(200, { 'content-type': 'application/json' })
    const account = { id: 'a', email: 'a@example.org', name: 'A' }
    response.end(JSON.stringify({ ...account, planHash: 'x', changes: [], drift: [], issues: [], warnings: [] }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
