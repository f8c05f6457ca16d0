import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from './harness/deliveries.ts'
import { dumpTables } from './harness/dump.ts'
import { type Harness, harness, project, rejects, resource, type Team } from './harness/index.ts'

let house: Harness
let team: Team
let other: Team

const telegram = 'common.delivery.telegram'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
  other = await house.team('rival')
  await team.owner.saveProject({ fullname: 'acme.app', body: project('acme.app') })
  await team.owner.saveProject({ fullname: 'acme.shop', body: project('acme.shop', { accessLevel: 'public' }) })
  await other.owner.saveProject({ fullname: 'rival.app', body: project('rival.app') })
})
afterAll(() => house.close())

const save = (fullname: string, extra: Parameters<typeof resource>[1] = {}, who = team.admin) =>
  who.saveResource({ fullname, body: resource(fullname, extra) })

describe('blueprints', () => {
  test('are listed with the schema of their data', async () => {
    const list = await team.stranger.listBlueprints()
    const names = list.map(({ fullname }) => fullname)
    expect(names).toEqual(names.toSorted())
    const named = (kind: string) => list.find(({ fullname }) => fullname === `common.delivery.${kind}`)
    for (const kind of ['discord', 'email', 'slack', 'webhook'])
      expect(named(kind)).toMatchObject({ external: false, data: { type: 'object' } })
    expect(named('webhook')).toMatchObject({ data: { required: ['url'] }, secrets: ['secret'] })
    expect(named('discord')).toMatchObject({ title: 'Discord', glyph: { icon: 'chat' }, secrets: ['url'] })
    expect(named('telegram')).toMatchObject({ external: true })
    expect(named('telegram')).not.toHaveProperty('data')
    expect(await team.user.listBlueprints({ query: { limit: 2 } })).toHaveLength(2)
    await rejects(house.nobody.listBlueprints(), { code: 'unauthenticated', status: 401 })
  })

  test('say which variables the operator must set before a channel works', async () => {
    const told = (list: Awaited<ReturnType<typeof team.user.listBlueprints>>) =>
      list.filter(({ configured }) => !configured).map(({ fullname, missing }) => [fullname, missing])
    expect(told(await team.user.listBlueprints())).toEqual([
      ['common.delivery.email', ['SMTP_URL', 'MAIL_FROM']],
      ['common.delivery.telegram', ['TELEGRAM_BOT_TOKEN']],
    ])
    const equipped = await harness({
      ...{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'tocsin@example.org' },
      ...{ TELEGRAM_BOT_TOKEN: '1:token', TELEGRAM_API_URL: 'http://127.0.0.1:9' },
    })
    const ann = await equipped.person('ann')
    expect(told(await ann.listBlueprints())).toEqual([])
    await equipped.close()
  })

  test.each([
    ['webhook', { url: 'ftp://example.org' }, 'data.url'],
    ['webhook', { url: 'nonsense' }, 'data.url'],
    ['webhook', {}, 'data.url'],
    ['webhook', undefined, 'data.url'],
    ['webhook', { url: 'https://example.org', secret: 'whsec_short' }, 'data.secret'],
    ['webhook', { url: 'https://example.org', secret: 'whsec_' }, 'data.secret'],
    ['webhook', { url: 'https://example.org', secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 'data.secret'],
    ['webhook', { url: 'https://example.org', secret: null }, 'data.secret'],
    ['discord', { url: 7 }, 'data.url'],
    ['slack', { link: 'https://example.org' }, 'data.url'],
    ['email', { to: 'not an address' }, 'data.to'],
    ['email', { url: 'https://example.org' }, 'data.to'],
  ])('%s refuses %j at %s', async (kind, data, path) => {
    const error = await rejects(save('acme.bad', { blueprint: `common.delivery.${kind}`, data }), {
      code: 'invalid_payload',
      status: 400,
    })
    expect(error.details).toMatchObject({ issues: [{ path }] })
    await rejects(team.admin.getResource({ fullname: 'acme.bad' }), { code: 'not_found' })
  })

  test.each([
    ['discord', { url: 'https://discord.example.org/api/webhooks/1/x' }],
    ['slack', { url: 'http://slack.example.org/services/x' }],
    ['webhook', { url: 'http://example.org:8080/hook?x=1', secret }],
  ])('%s is ready at once and stores the fields of its data', async (kind, data) => {
    const sent = { ...data, note: { kept: [1, 'two', null] } }
    const view = await save(`acme.plain-${kind}`, { blueprint: `common.delivery.${kind}`, data: sent })
    expect(view).toMatchObject({ ready: true, remark: null, data: sent, blueprint: `common.delivery.${kind}` })
    expect(view.data).toEqual(sent)
    expect(view).not.toHaveProperty('token')
    expect(view).not.toHaveProperty('destinationSummary')
  })

  test('e-mail is not ready if the operator has set no mail server, and the remark names the setting', async () => {
    const data = { to: 'ann@example.org', note: 'kept' }
    const view = await save('acme.plain-email', { blueprint: 'common.delivery.email', data })
    expect(view).toMatchObject({ ready: false, remark: expect.stringContaining('SMTP_URL'), data })
    expect(await team.user.getResource({ fullname: 'acme.plain-email' })).toMatchObject({ ready: false })
  })

  test('an unknown one is refused, and the one of a resource cannot be changed', async () => {
    await rejects(save('acme.x', { blueprint: 'common.delivery.pigeon' }), { code: 'unknown_blueprint', status: 400 })
    await save('acme.fixed')
    const change = save('acme.fixed', { blueprint: 'common.delivery.email', data: { to: 'a@example.org' } })
    await rejects(change, { code: 'immutable_field', status: 400 })
    const changeWithForeignData = save('acme.fixed', { blueprint: 'common.delivery.email' })
    await rejects(changeWithForeignData, { code: 'immutable_field' })
    await rejects(save('acme.fixed', { blueprint: telegram }), { code: 'immutable_field' })
  })

  test('a replaced secret signs for another day, and no reply shows it', async () => {
    const url = 'https://example.org/hook'
    const kept = async (id: string) => house.service.store.destinations.readPrivate(id)
    const { id } = await save('acme.rotated', { data: { url, secret: 'first' } })
    await save('acme.rotated', { data: { url, secret: 'first' } })
    expect(await kept(id)).toBeUndefined()
    const saved = await save('acme.rotated', { data: { url, secret: 'second' } })
    const until = new Date(Date.parse(saved.updatedAt) + 24 * 3_600_000).toISOString()
    expect(await kept(id)).toEqual({ formerSecrets: [{ secret: 'first', until }] })
    expect(JSON.stringify(saved)).not.toContain('first')
    await save('acme.rotated', { data: { url, secret: 'third' } })
    expect(await kept(id)).toMatchObject({ formerSecrets: [{ secret: 'second' }, { secret: 'first', until }] })
  })

  test('a save switches on a resource that was switched off', async () => {
    const { id } = await save('acme.tired')
    await house.service.store.resources.switchOff(id, 'Switched off: it answered 410', new Date())
    expect(await team.user.getResource({ fullname: 'acme.tired' })).toMatchObject({
      ready: false,
      remark: 'Switched off: it answered 410',
    })
    expect(await save('acme.tired')).toMatchObject({ ready: true, remark: null })
  })

  test('a webhook accepts a secret of any form, and a save without one keeps it', async () => {
    const url = 'https://example.org/other'
    expect((await save('acme.signed', { data: { url, secret: 'my own' } })).data).toEqual({ url, secret: 'my own' })
    expect((await save('acme.signed', { data: { url, secret } })).data).toEqual({ url, secret })
    expect((await save('acme.signed', { data: { url } })).data).toEqual({ url, secret })
  })

  test('a webhook accepts headers and a body template', async () => {
    const data = {
      url: 'https://example.org/own',
      secret,
      headers: { 'X-Key': 'k' },
      body: '{"text": "{{message.title}}", "raw": {{raw}}}',
    }
    expect((await save('acme.own-body', { data })).data).toEqual(data)
    expect((await team.user.getResource({ fullname: 'acme.own-body' })).data).toBeUndefined()
  })

  test.each([
    [
      'a header that the service sets',
      { headers: { 'Webhook-Id': 'x' } },
      'data.headers.Webhook-Id',
      'is set by the service',
    ],
    ['a header of the connection', { headers: { HOST: 'x' } }, 'data.headers.HOST', 'is set by the service'],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'data.headers.x-a', 'is given twice'],
    [
      'a header with a line break',
      { headers: { 'X-A': '1\r\nX-B: 2' } },
      'data.headers.X-A',
      'must be one line of printable ASCII characters',
    ],
    ['a name that is no header', { headers: { 'X A': '1' } }, 'data.headers.X A', 'must be the name of an HTTP header'],
    [
      'a template that is never closed',
      { body: '{"a": "{{raw"}' },
      'data.body',
      expect.stringContaining('is never closed'),
    ],
    ['a body that is not JSON', { body: '{"a": }' }, 'data.body', 'is not JSON: it has an unexpected }'],
  ])('a webhook refuses %s', async (_title, extra, path, message) => {
    const data = { url: 'https://example.org/own', ...extra }
    await rejects(save('acme.bad-body', { data }), {
      code: 'invalid_payload',
      status: 400,
      details: { issues: [{ path, message }] },
    })
  })

  test('a webhook without a secret gets one in whsec_ form, and the next save keeps it', async () => {
    const url = 'https://example.org/unsigned'
    const { data } = await save('acme.unsigned', { data: { url } })
    expect(data).toEqual({ url, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
    expect((await save('acme.unsigned', { data: { url }, tags: ['a'] })).data).toEqual(data)
    expect((await save('acme.unsigned-too', { data: { url } })).data?.secret).not.toBe(data?.secret)
  })
})

describe('a test message', () => {
  test('is sent for callers who may save the resource, and the reply shows what the receiver answered', async () => {
    const open = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
    const receiver = await startReceiver()
    try {
      const { owner, admin, developer, user, stranger } = await open.team('acme')
      const fullname = 'acme.tried'
      const { id } = await owner.saveResource({ fullname, body: resource(fullname, { data: { url: receiver.url } }) })
      expect(await admin.testResource({ fullname })).toMatchObject({ ok: true, status: 204 })
      expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
        type: 'alert.test',
        data: { workspace: 'acme', message: { title: 'Test message' } },
      })
      receiver.answer = () => ({ status: 500 })
      expect(await owner.testResource({ fullname })).toMatchObject({
        ok: false,
        status: 500,
        error: expect.stringContaining('answered 500'),
      })
      for (const member of [developer, user])
        await rejects(member.testResource({ fullname }), { code: 'forbidden', status: 403 })
      await rejects(stranger.testResource({ fullname }), { code: 'not_found', status: 404 })
      await rejects(open.nobody.testResource({ fullname }), { code: 'unauthenticated', status: 401 })
      await open.service.store.resources.switchOff(id, 'Not confirmed', new Date())
      expect(await owner.testResource({ fullname })).toMatchObject({
        ok: false,
        error: expect.stringContaining('Not confirmed'),
      })
      expect(receiver.received).toHaveLength(2)
    } finally {
      receiver.close()
      await open.close()
    }
  })
})

describe('saving', () => {
  test('creates a resource, and a full save clears omitted fields', async () => {
    const extra = { project: 'acme.app', tags: ['a'], labels: { k: 'v' }, meta: { title: 'Hook' } }
    const created = await save('acme.hook', extra)
    expect(created).toMatchObject({ name: 'hook', fullname: 'acme.hook', workspace: 'acme', ...extra })
    const cleared = await save('acme.hook')
    expect(cleared).toMatchObject({ id: created.id, tags: [], labels: {}, meta: {}, createdAt: created.createdAt })
    expect(cleared).not.toHaveProperty('project')
    expect(await team.owner.getResource({ fullname: 'acme.hook' })).toEqual(cleared)
  })

  test('unknown fields are not stored', async () => {
    const body = { ...resource('acme.extra'), ready: false, remark: 'x', token: 'y', meta: { title: 't', more: 1 } }
    const view = await team.owner.saveResource({ fullname: 'acme.extra', body })
    expect(view).toMatchObject({ ready: true, remark: null, meta: { title: 't' } })
    expect(view.meta).toEqual({ title: 't' })
  })

  test('accepts only a project of the same workspace', async () => {
    for (const name of ['rival.app', 'acme.none', 'nowhere.app']) {
      const error = await rejects(save('acme.astray', { project: name }), { code: 'invalid_payload', status: 400 })
      expect(error.details).toMatchObject({ issues: [{ path: 'project' }] })
    }
    await rejects(team.owner.getResource({ fullname: 'acme.astray' }), { code: 'not_found' })
  })

  test('checks names', async () => {
    const body = resource('acme.named')
    await rejects(team.owner.saveResource({ fullname: 'acme.else', body }), { code: 'fullname_mismatch', status: 400 })
    const invalid = [
      { ...body, fullname: 'acme.else' },
      { ...body, workspace: 'rival' },
      resource('acme.Upper'),
      resource(`acme.${'x'.repeat(65)}`),
      { ...resource('acme.a'), name: 'a.b', fullname: 'acme.a.b' },
    ]
    for (const body of invalid)
      await rejects(team.owner.saveResource({ fullname: body.fullname, body }), {
        code: 'fullname_invalid',
        status: 400,
      })
  })

  test('refuses a malformed payload with the path', async () => {
    const body = { ...resource('acme.bad'), tags: 'x' } as never
    const error = await rejects(team.owner.saveResource({ fullname: 'acme.bad', body }), { code: 'invalid_payload' })
    expect(error.details).toMatchObject({ issues: [{ path: 'tags' }] })
  })

  test('of two saves with the same If-Match one wins', async () => {
    await save('acme.raced')
    for (let round = 0; round < 5; round++) {
      const ifMatch = (await team.owner.whole.getResource({ fullname: 'acme.raced' })).headers.get('etag') ?? ''
      const titles = ['one', 'two']
      const outcomes = await Promise.allSettled(
        titles.map((title) =>
          team.owner.saveResource({
            fullname: 'acme.raced',
            ifMatch,
            body: resource('acme.raced', { meta: { title } }),
          }),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(lost).toMatchObject([{ code: 'precondition_failed', status: 412 }])
    }
    const body = resource('acme.nothing')
    await rejects(team.owner.saveResource({ fullname: 'acme.nothing', ifMatch: '*', body }), {
      code: 'precondition_failed',
    })
    await rejects(team.owner.getResource({ fullname: 'acme.nothing' }), { code: 'not_found' })
  })

  test('of concurrent first saves one creates and the others update', async () => {
    const views = await Promise.all([1, 2, 3, 4].map((n) => save('acme.first', { meta: { title: `t${n}` } })))
    expect(new Set(views.map(({ id }) => id)).size).toBe(1)
    const rivals = [
      save('acme.second', { blueprint: telegram }),
      save('acme.second', { blueprint: 'common.delivery.email', data: { to: 'a@example.org' } }),
    ]
    const outcomes = await Promise.allSettled(rivals)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost).toMatchObject([{ code: 'immutable_field' }])
  })
})

describe('access', () => {
  test('owners and admins save and delete, others do not', async () => {
    await save('acme.guarded', {}, team.owner)
    await save('acme.guarded', {}, team.admin)
    for (const person of [team.developer, team.user]) {
      await rejects(save('acme.guarded', {}, person), { code: 'forbidden', status: 403 })
      await rejects(save('acme.fresh', {}, person), { code: 'forbidden' })
      await rejects(person.deleteResource({ fullname: 'acme.guarded' }), { code: 'forbidden', status: 403 })
      await rejects(person.deleteResource({ fullname: 'acme.none' }), { code: 'not_found' })
    }
    await rejects(save('acme.guarded', {}, team.stranger), { code: 'not_found', status: 404 })
    await rejects(team.stranger.deleteResource({ fullname: 'acme.guarded' }), { code: 'not_found', status: 404 })
    const body = resource('acme.guarded')
    await rejects(house.nobody.saveResource({ fullname: 'acme.guarded', body }), {
      code: 'unauthenticated',
      status: 401,
    })
    await rejects(house.nobody.deleteResource({ fullname: 'acme.guarded' }), { code: 'unauthenticated' })
    await team.admin.getResource({ fullname: 'acme.guarded' })
  })

  test('owners and admins see data and token, other members the rest, strangers nothing', async () => {
    const plain = await save('acme.secretive')
    const external = await save('acme.chat', { blueprint: telegram })
    for (const person of [team.owner, team.admin]) {
      expect(await person.getResource({ fullname: 'acme.secretive' })).toEqual(plain)
      expect(await person.getResource({ fullname: 'acme.chat' })).toEqual(external)
    }
    const { data, ...plainForMembers } = plain
    const { token, ...externalForMembers } = external
    for (const person of [team.developer, team.user]) {
      expect(await person.getResource({ fullname: 'acme.secretive' })).toEqual(plainForMembers)
      expect(await person.getResource({ fullname: 'acme.chat' })).toEqual(externalForMembers)
      const list = await person.listResources({ query: { workspace: 'acme' } })
      expect(list.some((item) => 'data' in item || 'token' in item)).toBe(false)
    }
    const missing = await rejects(team.stranger.getResource({ fullname: 'acme.none' }), {
      code: 'not_found',
      status: 404,
    })
    const hidden = await rejects(team.stranger.getResource({ fullname: 'acme.chat' }), {
      code: 'not_found',
      status: 404,
    })
    expect(hidden.message).toBe(missing.message.replace('acme.none', 'acme.chat'))
    await rejects(house.nobody.getResource({ fullname: 'acme.chat' }), { code: 'unauthenticated', status: 401 })
  })
})

describe('an external resource', () => {
  test('waits for its setup, ignores data and gets a permanent token', async () => {
    const created = await save('acme.bot', { blueprint: telegram, data: { chatId: 1 } })
    expect(created).toMatchObject({ ready: false, remark: 'Setup is not finished' })
    expect(created).not.toHaveProperty('data')
    expect(created.token).toMatch(/^tcn_resource_[\w-]{43}$/)
    const again = await save('acme.bot', { blueprint: telegram, meta: { title: 'Bot' } })
    expect(again).toMatchObject({ token: created.token, ready: false, meta: { title: 'Bot' } })
  })

  test('that is ready stays ready when it is saved again', async () => {
    const { token = '' } = await save('acme.steady', { blueprint: telegram })
    await house.nobody.submitExternalResource({ token, body: { transform: { chatId: -1, title: 'Ops' } } })
    const saved = await save('acme.steady', { blueprint: telegram, data: { chatId: 99 }, meta: { title: 'x' } })
    expect(saved).toMatchObject({
      ready: true,
      remark: null,
      destinationSummary: { service: 'telegram', title: 'Ops' },
    })
  })
})

describe('lists', () => {
  test('show the resources of all workspaces of the caller, of one, or of a project', async () => {
    const crew = await house.team('crew')
    const { invite = '' } = await crew.owner.getWorkspace({ fullname: 'crew' })
    const guest = await house.person('guest')
    await guest.joinWorkspace({ workspace: 'crew', body: { invite } })
    await guest.saveWorkspace({ fullname: 'guest-space', body: { fullname: 'guest-space' } })
    await crew.owner.saveProject({ fullname: 'crew.app', body: project('crew.app') })
    for (const fullname of ['crew.b', 'crew.a']) await save(fullname, {}, crew.owner)
    await save('crew.c', { project: 'crew.app' }, crew.owner)
    await save('guest-space.z', {}, guest)
    const names = async (query?: { workspace?: string; project?: string; limit?: number }) =>
      (await guest.listResources({ query })).map(({ fullname }) => fullname)
    expect(await names()).toEqual(['crew.a', 'crew.b', 'crew.c', 'guest-space.z'])
    expect(await names({ workspace: 'crew' })).toEqual(['crew.a', 'crew.b', 'crew.c'])
    expect(await names({ project: 'crew.app' })).toEqual(['crew.c'])
    expect(await names({ workspace: 'guest-space', project: 'crew.app' })).toEqual([])
    expect(await names({ limit: 1 })).toEqual(['crew.a'])
    const own = (await guest.listResources()).filter((item) => 'data' in item).map(({ fullname }) => fullname)
    expect(own).toEqual(['guest-space.z'])
  })

  test('are paged by Link headers', async () => {
    const pager = await house.team('pager')
    for (const name of ['a', 'b', 'c']) await save(`pager.${name}`, {}, pager.owner)
    const { body, headers } = await pager.owner.whole.listResources({ query: { limit: 2 } })
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    const cursor = new URL(next, house.url).searchParams.get('cursor') ?? ''
    const rest = await pager.owner.whole.listResources({ query: { limit: 2, cursor } })
    expect([...body, ...rest.body].map(({ fullname }) => fullname)).toEqual(['pager.a', 'pager.b', 'pager.c'])
    expect(rest.headers.get('link')).toBeNull()
  })

  test('refuse filters that the caller may not see, also of a public project', async () => {
    for (const query of [
      { workspace: 'acme' },
      { workspace: 'nowhere' },
      { project: 'acme.app' },
      { project: 'acme.none' },
      { project: 'acme.shop' },
    ])
      await rejects(team.stranger.listResources({ query }), { code: 'not_found', status: 404 })
    expect(await team.stranger.listResources()).toEqual([])
    await rejects(house.nobody.listResources(), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.listResources({ query: { limit: 0 } }), { code: 'invalid_query', status: 400 })
  })
})

describe('deleting', () => {
  test('removes the resource and its token', async () => {
    const { token = '' } = await save('acme.gone', { blueprint: telegram })
    expect(await team.admin.deleteResource({ fullname: 'acme.gone' })).toEqual({ ok: true })
    await rejects(team.admin.getResource({ fullname: 'acme.gone' }), { code: 'not_found' })
    await rejects(house.nobody.getExternalResource({ token }), { code: 'not_found' })
    await rejects(team.admin.deleteResource({ fullname: 'acme.gone' }), { code: 'not_found' })
  })

  test('with an outdated If-Match changes nothing', async () => {
    await save('acme.kept')
    const ifMatch = (await team.admin.whole.getResource({ fullname: 'acme.kept' })).headers.get('etag') ?? ''
    await save('acme.kept')
    await rejects(team.admin.deleteResource({ fullname: 'acme.kept', ifMatch }), { code: 'precondition_failed' })
    await team.admin.getResource({ fullname: 'acme.kept' })
  })

  test('a workspace or a project deletes its resources too', async () => {
    const leaving = await house.team('leaving')
    await leaving.owner.saveProject({ fullname: 'leaving.app', body: project('leaving.app') })
    await save('leaving.scoped', { project: 'leaving.app' }, leaving.owner)
    await save('leaving.free', {}, leaving.owner)
    await leaving.owner.deleteProject({ fullname: 'leaving.app' })
    const left = await leaving.owner.listResources({ query: { workspace: 'leaving' } })
    expect(left.map(({ fullname }) => fullname)).toEqual(['leaving.free'])
    await leaving.owner.deleteWorkspace({ fullname: 'leaving' })
    await leaving.owner.saveWorkspace({ fullname: 'leaving', body: { fullname: 'leaving' } })
    expect(await leaving.owner.listResources({ query: { workspace: 'leaving' } })).toEqual([])
  })

  test('a workspace while resources are saved into it leaves both or neither, and no error', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `busy-${round}`
      const owner = await house.person('busy')
      await owner.saveWorkspace({ fullname: name, body: { fullname: name } })
      const outcomes = await Promise.allSettled([
        save(`${name}.a`, {}, owner),
        owner.deleteWorkspace({ fullname: name }),
        save(`${name}.b`, {}, owner),
      ])
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' })
    }
  })
})

test('after a transfer of its project a resource is still found by its old name', async () => {
  await other.owner.saveProject({ fullname: 'rival.sold', body: project('rival.sold') })
  const { id } = await save('rival.sold-hook', { project: 'rival.sold' }, other.owner)
  const offer = { targetWorkspace: 'acme' }
  const request = await other.owner.createTransferRequest({ fullname: 'rival.sold', body: offer })
  await team.owner.acceptTransfer({ id: request.id })
  const moved = await team.owner.getResource({ fullname: 'acme.sold-hook' })
  expect(moved.id).toBe(id)
  expect(await team.owner.getResource({ fullname: 'rival.sold-hook' })).toEqual(moved)
  await rejects(team.stranger.getResource({ fullname: 'rival.sold-hook' }), { code: 'not_found' })
  await rejects(team.owner.deleteResource({ fullname: 'rival.sold-hook' }), { code: 'not_found' })
})

test('data, tokens and destinations are encrypted in the database', async () => {
  const { token = '' } = await save('acme.sealed-chat', { blueprint: telegram })
  await house.nobody.submitExternalResource({ token, body: { transform: { chatId: '@chat_8472' } } })
  const url = 'https://example.org/very-secret-path'
  await save('acme.sealed-hook', { data: { url, secret: 'very-own-secret' } })
  const rows = await dumpTables(house.databaseUrl)
  expect(rows).toContain('acme.sealed-hook')
  for (const text of [token, 'chat_8472', 'very-secret-path', 'very-own-secret']) {
    expect(rows).not.toContain(text)
    expect(rows).not.toContain(Buffer.from(text).toString('hex'))
  }
})
