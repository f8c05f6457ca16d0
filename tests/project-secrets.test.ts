import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dumpTables } from './harness/dump.ts'
import { evaluationHouse } from './harness/evaluation.ts'
import {
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  subscription,
  type Team,
  trigger,
} from './harness/index.ts'

/** Secrets of projects: who writes them, who uses them, and that no value is ever shown. */

const value = 's3cret/"value" & more'
let remote: Server
let remoteUrl: string
const heard: string[] = []

/** Echoes every request, like a careless service. */
beforeAll(async () => {
  remote = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const said = { url: request.url, key: request.headers['x-key'] ?? null, body }
    heard.push(JSON.stringify(said))
    if (request.url === '/refuse') response.writeHead(401).end(`wrong key ${request.headers['x-key']}`)
    else response.end(JSON.stringify(said))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => remote.once('listening', listening))
  remoteUrl = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
})
beforeEach(() => void heard.splice(0))
afterAll(() => remote.close())

const timer = { type: 'timer' as const, interval: '1m' }
const http = (extra: object = {}) => ({
  ...{ id: 'api', type: 'http' as const, url: `${remoteUrl}/a`, headers: { 'x-key': '{{secrets.apiKey}}' } },
  ...extra,
})

describe('through the routes', () => {
  let house: Harness
  let team: Team
  beforeAll(async () => {
    house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on', LIMIT_PROJECT_SECRETS: '3' })
    team = await house.team('acme')
    await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p', { accessLevel: 'public' }) })
    await set('apiKey', value)
  })
  afterAll(() => house.close())

  const set = (name: string, value: string, who = team.developer) =>
    who.saveProjectSecret({ fullname: 'acme.p', name, body: { value } })
  const list = (who = team.developer) => who.listProjectSecrets({ fullname: 'acme.p' })
  const tried = (who: Person, provider: object, project?: string) =>
    who.testProvider({ body: { triggerSpec: timer, provider: provider as never, ...(project && { project }) } })

  test('are listed by name, replaced and deleted, and no answer, table or log holds a value', async () => {
    const made = await team.developer.whole.saveProjectSecret({
      ...{ fullname: 'acme.p', name: 'other-key', body: { value: 'first-value' } },
    })
    expect(Object.keys(made.body).sort()).toEqual(['createdAt', 'name', 'updatedAt'])
    house.clock.advance(1000)
    const replaced = await set('other-key', 'second-value')
    expect(replaced).toMatchObject({ name: 'other-key', createdAt: made.body.createdAt })
    expect(replaced.updatedAt > made.body.updatedAt).toBe(true)
    const stale = {
      fullname: 'acme.p',
      name: 'other-key',
      ifMatch: made.headers.get('etag') ?? '',
      body: { value: 'third-value' },
    }
    await rejects(team.developer.saveProjectSecret(stale), { code: 'precondition_failed' })
    expect((await list()).map(({ name }) => name)).toEqual(['apiKey', 'other-key'])
    const kept = (await dumpTables(house.databaseUrl)) + house.logs.join('\n') + JSON.stringify(await list())
    for (const secret of [value, 's3cret', 'first-value', 'second-value']) expect(kept).not.toContain(secret)
    await team.developer.deleteProjectSecret({ fullname: 'acme.p', name: 'other-key' })
    await rejects(team.developer.deleteProjectSecret({ fullname: 'acme.p', name: 'other-key' }), { code: 'not_found' })
    expect((await list()).map(({ name }) => name)).toEqual(['apiKey'])
  })

  test('invalid names and values are refused, and so are secrets above the limit', async () => {
    for (const name of ['1a', 'a.b', 'a b', '-a', 'x'.repeat(65)])
      await rejects(set(name, 'value'), { code: 'invalid_payload' })
    for (const bad of ['', 'x'.repeat(8193), 7, undefined])
      await rejects(set('name', bad as string), { code: 'invalid_payload' })
    await set('two', 'value')
    await set('three', 'value')
    await rejects(set('four', 'value'), { code: 'limit_reached', details: { limit: 3, used: 3 } })
    await set('three', 'changed')
    for (const name of ['two', 'three']) await team.developer.deleteProjectSecret({ fullname: 'acme.p', name })
  })

  test('are sent to the remote service in every field, and are masked in the reply', async () => {
    const result = await tried(
      team.developer,
      http({ method: 'POST', url: `${remoteUrl}/{{secrets.apiKey}}`, body: { key: '{{secrets.apiKey}}' } }),
      'acme.p',
    )
    expect(heard.join()).toContain(encodeURIComponent(value))
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({ key: value, body: JSON.stringify({ key: value }) })
    expect(result).toMatchObject({ valid: true, result: { url: '/***', key: '***', body: '{"key":"***"}' } })
    expect(JSON.stringify(result)).not.toContain('s3cret')
    const refused = await tried(team.developer, http({ url: `${remoteUrl}/refuse` }), 'acme.p')
    expect(refused).toMatchObject({ valid: false, issues: [{ message: expect.stringContaining('wrong key ***') }] })
    const rpc = { id: 'r', type: 'rpc', url: `${remoteUrl}/`, method: 'm', params: ['{{secrets.apiKey}}'] }
    const asked = await tried(team.developer, rpc, 'acme.p')
    expect(asked.debug.providers.r?.request).toMatchObject({ params: ['***'] })
  })

  test('are used only for developers and above, and only in tests of their project', async () => {
    await team.stranger.saveWorkspace({ fullname: 'evil', body: { fullname: 'evil' } })
    await team.stranger.saveProject({ fullname: 'evil.p', body: project('evil.p') })
    for (const [who, named] of [
      [team.stranger, 'acme.p'],
      [team.user, 'acme.p'],
      [team.stranger, 'evil.p'],
      [team.developer, undefined],
    ] as const)
      expect(await tried(who, http(), named)).toMatchObject({
        valid: false,
        issues: [{ path: 'provider.headers.x-key', message: expect.stringContaining('{{secrets.apiKey}}') }],
      })
    const given = { triggerSpec: timer, provider: http(), templateValues: { 'secrets.apiKey': 'mine' } }
    expect(await team.stranger.testProvider({ body: given })).toMatchObject({ valid: false })
    expect(heard).toEqual([])
  })

  test('tests of a named project use them, and tests of a project that cannot be read are refused', async () => {
    const body = { triggerSpec: timer, providers: [http()], transform: null, outputSchema: null, input: { now: 1 } }
    const whole = { ...body, transform: { rawSource: '({ key: providers.api.key })' } }
    expect(await team.developer.testTrigger({ body: { ...whole, project: 'acme.p' } })).toMatchObject({
      valid: true,
      output: { raw: { key: '***' } },
    })
    expect(await team.stranger.testTrigger({ body: { ...whole, project: 'acme.p' } })).toMatchObject({ valid: false })
    await rejects(team.stranger.testTrigger({ body: { ...whole, project: 'acme.none' } }), { code: 'not_found' })
    expect(heard).toHaveLength(1)
  })

  test('a save accepts an unknown secret, which validate reports; scripts, state windows and hosts accept none', async () => {
    const fullname = 'acme.p.keyed'
    const body = (providers: object[]) =>
      trigger(fullname, { providers: providers as never, inputs: { host: 'string' } })
    const unknown = http({ headers: { 'x-key': '{{secrets.missing}}' } })
    await team.developer.saveTrigger({ fullname, body: body([unknown]) })
    expect(await team.developer.validateTriggerDraft({ fullname, body: body([unknown]) })).toMatchObject({
      valid: false,
      issues: [{ path: 'providers.0', message: expect.stringContaining('{{secrets.missing}}') }],
    })
    for (const [provider, path] of [
      [{ id: 'a', type: 'javascript', source: '1', variables: { key: '{{secrets.apiKey}}' } }, 'variables.key'],
      [{ id: 'a', type: 'state_window', dedupeBy: 'x', value: '{{secrets.apiKey}}', keepLast: 1 }, 'value'],
      [http({ url: 'https://{{inputs.host}}/a' }), 'url'],
      [http({ url: '{{inputs.host}}' }), 'url'],
      [http({ url: '{{secrets.apiKey}}{{inputs.host}}/a' }), 'url'],
      [http({ url: 'https://example.org{{inputs.host}}/a' }), 'url'],
      [http({ body: '{{secrets}}' }), 'body'],
    ] as const) {
      const refused = await rejects(team.developer.saveTrigger({ fullname, body: body([provider]) }), {
        code: 'invalid_payload',
      })
      expect(refused.details).toMatchObject({ issues: [{ path: `providers.0.${path}` }] })
    }
    const urls = ['https://{{secrets.sub}}.example.org/{{inputs.host}}', '{{secrets.base}}/{{inputs.host}}?k=1']
    for (const url of urls) await team.developer.saveTrigger({ fullname, body: body([http({ url })]) })
  })

  test('a subscriber tests the saved trigger with them and does not see them', async () => {
    const fullname = 'acme.p.told'
    const transform = { rawSource: '({ key: providers.api.key })' }
    await team.developer.saveTrigger({ fullname, body: trigger(fullname, { providers: [http()], transform }) })
    const { id } = await team.stranger.createSubscription({
      body: { ...subscription(fullname), workspace: 'evil' },
    })
    const result = await team.stranger.testSubscription({ id })
    expect(result).toMatchObject({ valid: true, results: [{ raw: { key: '***' } }] })
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({ key: value })
  })

  test('move with the project to another workspace', async () => {
    const to = { targetWorkspace: 'evil', targetName: 'q' }
    const { id } = await team.owner.createTransferRequest({ fullname: 'acme.p', body: to })
    await team.stranger.acceptTransfer({ id })
    expect(await tried(team.stranger, http(), 'evil.q')).toMatchObject({ valid: true, result: { key: '***' } })
    await rejects(list(), { code: 'forbidden' })
  })
})

test('live runs use the secrets of the trigger’s project, and record none', async () => {
  const house = await evaluationHouse()
  const { deps } = await house.start()
  await deps.store.projectSecrets.save({ projectId: 'p', name: 'apiKey', value }, house.clock.now())
  const id = await house.trigger('keyed', { providers: [http()], transform: { rawSource: '({ got: providers.api })' } })
  await house.subscribe(id)
  await deps.listeners.refresh()
  await house.happen(deps.store, id)
  await house.settled()
  expect(JSON.parse(heard[0] ?? '')).toMatchObject({ key: value })
  expect(await house.alerts()).toMatchObject([{ trace: { raw: { got: { key: '***' } } } }])
  expect(await dumpTables(house.url)).not.toContain('s3cret')
  await house.close()
})
