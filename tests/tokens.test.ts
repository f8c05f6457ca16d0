import { randomUUID } from 'node:crypto'
import { scopeNames } from '@tocsin/contract'
import type { ApiError } from '@tocsin/sdk'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addressList,
  checkedClient,
  customSource,
  type Harness,
  type Person,
  project,
  rejects,
  resource,
  sharedHarness,
  subscription,
  trigger,
} from './harness/index.ts'

let house: Harness
let ann: Person
/** Two workspaces of Ann. */
let [home, other] = ['', '']
beforeAll(async () => {
  house = await sharedHarness()
  ann = await house.person('ann')
  home = `home-${randomUUID().slice(0, 8)}`
  other = `other-${randomUUID().slice(0, 8)}`
  for (const fullname of [home, other]) {
    await ann.saveWorkspace({ fullname, body: { fullname } })
    await ann.saveProject({ fullname: `${fullname}.p`, body: project(`${fullname}.p`, { visibility: 'public' }) })
  }
})

const withToken = async (body: Parameters<Person['createToken']>[0]['body']) =>
  checkedClient(house.url, (await ann.createToken({ body })).token)

describe('scopes', () => {
  test('a token has all scopes unless it names some, and tells them', async () => {
    const { token, id, ...whole } = await ann.createToken({ body: { name: 'all' } })
    expect(whole).toMatchObject({ scopes: scopeNames, expiresAt: null })
    expect(whole).not.toHaveProperty('workspace')
    const body = { name: 'some', scopes: ['deliver' as const, 'read' as const, 'read' as const], workspace: home }
    const some = await ann.createToken({ body })
    expect(some).toMatchObject({ scopes: ['read', 'deliver'], workspace: home })
    expect(await ann.listTokens()).toContainEqual(expect.objectContaining({ id, scopes: scopeNames }))
    const me = await checkedClient(house.url, some.token).getMe()
    expect(me).toMatchObject({ id: ann.id, scopes: ['read', 'deliver'], workspace: home })
    expect(await ann.getMe()).toMatchObject({ scopes: scopeNames })
  })

  test('a token cannot create one that may do more or lives longer', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const admin = await withToken({ name: 'admin', scopes: ['admin', 'read'], expiresAt })
    const later = new Date(Date.now() + 7_200_000).toISOString()
    const refused = { code: 'insufficient_scope', status: 403 } as const
    await rejects(admin.createToken({ body: { name: 'all', expiresAt } }), refused)
    await rejects(admin.createToken({ body: { name: 'more', scopes: ['read', 'publish'], expiresAt } }), {
      ...refused,
      details: { scopes: ['publish'] },
    })
    await rejects(admin.createToken({ body: { name: 'longer', scopes: ['read'], expiresAt: later } }), refused)
    await rejects(admin.createToken({ body: { name: 'endless', scopes: ['read'] } }), refused)
    const made = await admin.createToken({ body: { name: 'less', scopes: ['read'], expiresAt } })
    expect(made.scopes).toEqual(['read'])
  })

  test('a token is refused without a scope, with an unknown one, or with a workspace that the account may not see', async () => {
    await rejects(ann.createToken({ body: { name: 'none', scopes: [] } }), { code: 'invalid_payload' })
    // @ts-expect-error there is no such scope
    await rejects(ann.createToken({ body: { name: 'odd', scopes: ['root'] } }), { code: 'invalid_payload' })
    await rejects(ann.createToken({ body: { name: 'far', workspace: 'nowhere' } }), { code: 'not_found' })
  })

  test('a browser that signed in with a token has its scopes', async () => {
    const { token } = await ann.createToken({ body: { name: 'read', scopes: ['read'] } })
    const signedIn = await house.nobody.signInByToken({ body: { token } })
    const session = checkedClient(house.url, signedIn.token)
    expect(await session.getMe()).toMatchObject({ scopes: ['read'] })
    await rejects(session.createToken({ body: { name: 'x', scopes: ['read'] } }), { code: 'insufficient_scope' })
  })

  test('only `deliver` sends the message of a subscription test', async () => {
    const [write, deliver] = [
      await withToken({ name: 'w', scopes: ['write'] }),
      await withToken({ name: 'd', scopes: ['deliver'] }),
    ]
    const call = (client: typeof write, sends: boolean) =>
      client.testSubscription({ id: 'missing', body: { deliver: sends } })
    await rejects(call(write, true), { code: 'insufficient_scope' })
    await rejects(call(deliver, false), { code: 'insufficient_scope' })
    await rejects(call(write, false), { code: 'not_found' })
    await rejects(call(deliver, true), { code: 'not_found' })
  })
})

describe('a token bound to a workspace', () => {
  test('lists and changes only what is in it', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    expect((await bound.listWorkspaces()).map(({ fullname }) => fullname)).toEqual([home])
    expect((await bound.listProjects()).map(({ fullname }) => fullname)).toEqual([`${home}.p`])
    const fullname = `${home}.p.t`
    await bound.saveTrigger({ fullname, body: trigger(fullname) })
    expect((await bound.listTriggers()).map((each) => each.fullname)).toEqual([fullname])
    const refused = { code: 'insufficient_scope', status: 403 } as const
    await rejects(bound.getProject({ fullname: `${other}.p` }), refused)
    await rejects(bound.listProjects({ query: { workspace: other } }), refused)
    const away = `${other}.p.t`
    await rejects(bound.saveTrigger({ fullname: away, body: trigger(away) }), refused)
    const fresh = `${home}-2`
    await rejects(bound.saveWorkspace({ fullname: fresh, body: { fullname: fresh } }), refused)
  })

  test('finds and counts only what is in it', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    const away = `${other}.p.far`
    await ann.saveTrigger({ fullname: away, body: trigger(away) })
    await ann.createAddress({ body: { type: 'plain', address: 'far away', alias: `${home}.p of mine` } })
    const found = async (q: string) => (await bound.search({ query: { q } })).results.map(({ name }) => name)
    expect(await found(`${home}.p`)).toContain(`${home}.p`)
    expect((await found(`${home}.p`)).every((name) => name.startsWith(`${home}.`))).toBe(true)
    expect(await found(other)).toEqual([])
    const refused = { code: 'insufficient_scope', status: 403 } as const
    await rejects(bound.search({ query: { q: 'p', workspace: other } }), refused)
    await rejects(bound.getWorkspaceCounts({ fullname: other }), refused)
    await rejects(bound.getWorkspaceSummary({ fullname: other }), refused)
    await rejects(bound.getTriggerCounts({ fullname: away }), refused)
    await rejects(bound.getTriggerRuns({ fullname: away }), refused)
    await rejects(bound.listTriggerVersions({ fullname: away }), refused)
    await rejects(bound.resendFailed({ fullname: other, body: { since: new Date(0).toISOString() } }), refused)
    expect((await bound.getWorkspaceCounts({ fullname: home })).hours).toHaveLength(24)
  })

  test('lists only the alerts in it', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    await house.database.query(
      `insert into alerts (id, account_id, workspace_id, project, trigger, status, item_at, message, trace, created_at, updated_at)
       select 'al_' || w.fullname, $1, w.id, 'p', 't', 'delivered', now(), '{"title": "A"}', '{}', now(), now()
       from workspaces w where w.fullname = any($2)`,
      [ann.id, [home, other]],
    )
    const idsOf = async (reader: typeof bound) => (await reader.listAlerts()).map(({ id }) => id).toSorted()
    expect(await idsOf(ann)).toEqual([`al_${home}`, `al_${other}`].toSorted())
    expect(await idsOf(bound)).toEqual([`al_${home}`])
  })

  test('cannot read or change the account', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    const refused = { code: 'insufficient_scope', status: 403 } as const
    await rejects(bound.createToken({ body: { name: 'x', scopes: ['read'], workspace: home } }), refused)
    await rejects(bound.listTokens(), refused)
    await rejects(bound.listAddresses(), refused)
    await rejects(bound.createAddress({ body: { type: 'plain', address: 'a', alias: 'a' } }), refused)
    expect(await bound.getMe()).toMatchObject({ id: ann.id, workspace: home })
  })

  test('shows no name of the address book, in a message nor in the test of a subscription', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    const [address, alias] = [`0x${'ab'.repeat(20)}`, 'Treasury of mine']
    await ann.createAddress({ body: { type: 'evm', address, alias } })
    const fullname = `${home}.p.names`
    const title = '{{address raw.to}}'
    await ann.saveTrigger({ fullname, body: trigger(fullname, { activation: 'true', defaults: { title } }) })
    const { id } = await ann.createSubscription({ body: subscription(fullname) })
    const output = { raw: { to: address }, human: {} }
    const preview = { trigger: fullname, title: 'T', input: {}, output, defaults: { title } }
    const read = async (caller: typeof bound) => [
      (await caller.previewMessage({ body: preview })).message?.title,
      (await caller.testSubscription({ id, body: { input: { to: address } } })).results[0]?.message?.title,
    ]
    expect(await read(ann)).toEqual([alias, alias])
    const short = '0xabab…abab'
    expect(await read(bound)).toEqual([short, short])
    const names = { source: 'common.ethereum', addresses: [address] }
    await rejects(bound.findAddressNames({ body: names }), { code: 'insufficient_scope', status: 403 })
  })

  test('reads nothing of another workspace that the body of its own entity names', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    const far = `${other}.p.named`
    const secret = 'Only for the other workspace'
    await ann.saveTrigger({ fullname: far, body: trigger(far, { meta: { title: secret } }) })
    await ann.saveResource({ fullname: `${other}.hook`, body: resource(`${other}.hook`) })
    const list = `${other}.list`
    await ann.saveAddressList({ fullname: list, body: addressList(list) })
    const fullname = `${home}.p.own`
    const own = (extra: object) => trigger(fullname, extra)
    const conditions = { field: 'source.from', op: 'in' as const, value: { list } }
    const attempts: [string, () => Promise<unknown>][] = [
      [
        'the events of a trigger',
        () =>
          bound.saveTrigger({ fullname, body: own({ triggerSpec: { type: 'internal', stream: `${far}.events` } }) }),
      ],
      ['an address list', () => bound.saveTrigger({ fullname, body: own({ conditions }) })],
      ['a list in a draft', () => bound.validateTriggerDraft({ fullname, body: own({ conditions }) })],
      [
        'a list in a preview',
        () => bound.previewTrigger({ body: { conditions, providers: [], transform: { source: 'source' }, input: {} } }),
      ],
      ['a trigger to subscribe to', () => bound.createSubscription({ body: subscription(far) })],
      [
        'a destination',
        () => bound.createSubscription({ body: subscription(`${home}.p.t`, { resources: [`${other}.hook`] }) }),
      ],
      [
        'a project of a destination',
        () =>
          bound.saveResource({ fullname: `${home}.hook`, body: resource(`${home}.hook`, { project: `${other}.p` }) }),
      ],
      [
        'an entity of a stack',
        () =>
          bound.planStack({
            fullname: home,
            body: { stack: 'mine', entities: [{ kind: 'trigger' as const, payload: trigger(far) }] },
          }),
      ],
    ]
    for (const [what, attempt] of attempts) {
      const answer = await attempt().catch((error: ApiError) => error.code)
      expect(JSON.stringify(answer), what).not.toContain(secret)
      if (typeof answer === 'string')
        expect(['insufficient_scope', 'not_found', 'invalid_payload'], what).toContain(answer)
      else expect((answer as { issues: unknown[] }).issues, what).not.toEqual([])
    }
  })

  test('uses public sources of other workspaces without a role there', async () => {
    const source = `${other}.open`
    const body = customSource(source, { public: true, endpoints: ['http://127.0.0.1:9'] })
    await ann.saveCustomSource({ fullname: source, body })
    const bound = await withToken({ name: 'bound', workspace: home })
    const fullname = `${home}.p.listens`
    const spec = { type: 'evm_log' as const, dataSource: source, event: 'Transfer(address,address,uint256)' }
    const saved = await bound.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec: spec }) })
    expect(saved.status.status).not.toBe('broken')
    expect(await bound.listCustomSources()).toEqual([])
    await rejects(bound.restartCustomSource({ fullname: source }), { code: 'insufficient_scope' })
  })

  test('has its own idempotency keys, so that it never gets the reply of another workspace', async () => {
    const bound = await withToken({ name: 'bound', workspace: home })
    const fullname = `${other}.p`
    const call = {
      idempotencyKey: randomUUID(),
      body: { project: fullname, source: 'common.ethereum', abi: 'event A()' },
    }
    await ann.importEvm(call)
    await rejects(bound.importEvm(call), { code: 'insufficient_scope' })
  })

  test('ends with its workspace', async () => {
    const fullname = `gone-${randomUUID().slice(0, 8)}`
    await ann.saveWorkspace({ fullname, body: { fullname } })
    const bound = await withToken({ name: 'brief', workspace: fullname })
    await bound.deleteWorkspace({ fullname })
    await rejects(bound.getMe(), { code: 'unauthenticated' })
  })
})

describe('what is deleted while a request uses it', () => {
  /** Sends the request while another transaction deletes rows, and commits that transaction when the request waits for it. */
  async function during<T>(statement: string, values: unknown[], request: () => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: house.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query(statement, values)
    const answer = request()
    // The request may be refused before its answer is awaited.
    answer.catch(() => undefined)
    const waiting = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await client.query(waiting)).rows[0].count).toBe(1)
    await client.query('commit')
    await client.end()
    return answer
  }
  const address = { type: 'evm', address: `0x${'1'.repeat(40)}`, alias: 'mine' } as const

  test.each<[string, (person: Person) => Promise<unknown>]>([
    ['a new token', (person) => person.createToken({ body: { name: 'late' } })],
    ['a new address', (person) => person.createAddress({ body: address })],
  ])('an account: %s is refused', async (_, call) => {
    const leaver = await house.person('leaver')
    const refused = during('delete from accounts where id = $1', [leaver.id], () => call(leaver))
    await rejects(refused, { code: 'unauthenticated', status: 401 })
  })

  test('a workspace: a new token for it is refused', async () => {
    const fullname = `gone-${randomUUID().slice(0, 8)}`
    await ann.saveWorkspace({ fullname, body: { fullname } })
    const refused = during('delete from workspaces where fullname = $1', [fullname], () =>
      ann.createToken({ body: { name: 'late', workspace: fullname } }),
    )
    await rejects(refused, { code: 'not_found', status: 404 })
    expect((await ann.listTokens()).map(({ name }) => name)).not.toContain('late')
  })
})
