import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAlert } from './harness/alerts.ts'
import { startReceiver } from './harness/deliveries.ts'
import { query } from './harness/following.ts'
import {
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  resource,
  subscription,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team
beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
  const { owner } = team
  await owner.saveProject({ fullname: 'acme.app', body: project('acme.app', { accessLevel: 'public' }) })
  await owner.saveProject({ fullname: 'acme.hidden', body: project('acme.hidden') })
  const inputs = { wallet: { type: 'address', addressType: 'evm' }, note: { type: 'string', optional: true } }
  const filtersSchema = { amount: { type: 'balance', decimals: 6 }, name: 'string' }
  const outputSchema = { count: { type: 'integer', optional: true } }
  for (const name of ['acme.app.moved', 'acme.hidden.moved'])
    await owner.saveTrigger({ fullname: name, body: trigger(name, { inputs, filtersSchema, outputSchema }) })
  await owner.saveResource({ fullname: 'acme.hook', body: resource('acme.hook') })
})
afterAll(() => house.close())

const wallet = `0x${'ab'.repeat(20)}`
const threshold = { type: 'threshold' as const, value: 'amount' }
const body = (extra = {}) => subscription('acme.app.moved', { inputs: { wallet }, resources: ['acme.hook'], ...extra })

describe('to one trigger', () => {
  test('a save returns what was saved, and a read returns the same', async () => {
    const made = await team.user.createSubscription({
      body: body({
        conditions: { param: 'amount', op: 'gt', value: '5' },
        policy: { type: 'throttle', per: '1h' },
        delivery: { mode: 'once_per_key', keyPath: 'to' },
        overrides: { title: 'Moved {{raw.amount}}' },
        meta: { title: 'Mine' },
      }),
    })
    expect(made).toMatchObject({
      workspace: 'acme',
      project: 'acme.app',
      trigger: 'acme.app.moved',
      inputs: { wallet },
      conditions: { param: 'amount', op: 'gt', value: '5' },
      policy: { type: 'throttle', per: '1h' },
      delivery: { mode: 'once_per_key', keyPath: 'to' },
      overrides: { title: 'Moved {{raw.amount}}' },
      resources: ['acme.hook'],
      status: 'active',
      meta: { title: 'Mine' },
    })
    expect(await team.user.getSubscription({ id: made.id })).toEqual(made)
  })

  test('a condition on a field that the trigger does not describe is saved and reported in the issue', async () => {
    const fullname = 'acme.app.described'
    const filtersSchema = { amount: { type: 'balance', decimals: 6 } }
    const save = (extra: object) => team.owner.saveTrigger({ fullname, body: trigger(fullname, extra) })
    await save({ filtersSchema, transform: '({ amount: 1 })' })
    const made = (param: string) =>
      team.user.createSubscription({
        body: subscription(fullname, { resources: ['acme.hook'], conditions: { param, op: 'gt', value: 1 } }),
      })
    expect(await made('amount')).not.toHaveProperty('issue')
    const doubtful = await made('amuont')
    expect(doubtful.issue).toBe(
      `The conditions name "amuont", which the trigger "${fullname}" does not describe. They may never be true.`,
    )
    const listed = await team.user.listSubscriptions({ query: { trigger: fullname } })
    expect(listed.map(({ issue }) => issue)).toEqual([undefined, doubtful.issue])
    await save({ transform: '({ amuont: 1 })' })
    expect(await team.user.getSubscription({ id: doubtful.id })).not.toHaveProperty('issue')
  })

  test('a policy or a delivery key on a field that the output does not have is saved and reported in the issue with its path', async () => {
    const fullname = 'acme.app.valued'
    const outputSchema = { balance: 'number', token: { type: 'object', properties: { symbol: 'string' } } }
    await team.owner.saveTrigger({
      fullname,
      body: trigger(fullname, { outputSchema, filtersSchema: { owner: 'string' }, transform: '({ balance: 1 })' }),
    })
    const issueOf = async (policy: Parameters<typeof subscription>[1]) =>
      (await team.user.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'], ...policy }) }))
        .issue
    const threshold = { type: 'threshold' as const, value: 'balance', below: 10 }
    expect(await issueOf({ policy: { ...threshold, key: 'token.symbol' } })).toBeUndefined()
    expect(await issueOf({ policy: { ...threshold, value: 'balanec' } })).toBe(
      `policy.value names "balanec", which the output of the trigger "${fullname}" does not have. The policy may never fire.`,
    )
    // A filter is no field of the output.
    expect(await issueOf({ policy: { ...threshold, value: 'owner' } })).toMatch(/^policy\.value names "owner"/)
    expect(await issueOf({ policy: { type: 'throttle', per: '1h', key: 'token.name' } })).toMatch(
      /^policy\.key names "token\.name"/,
    )
    const delivery = (keyPath: string) => ({ delivery: { mode: 'once_per_key' as const, keyPath } })
    expect(await issueOf(delivery('token.symbol'))).toBeUndefined()
    expect(await issueOf(delivery('token.name'))).toBe(
      `delivery.keyPath names "token.name", which the output of the trigger "${fullname}" does not have. Only the first match may be delivered.`,
    )
  })

  test('a subscription that is created paused makes no alerts until it is resumed', async () => {
    const { id, status } = await team.user.createSubscription({ body: { ...body(), paused: true } })
    expect(status).toBe('paused')
    expect((await team.user.resumeSubscription({ id })).status).toBe('active')
    expect((await team.user.createSubscription({ body: body() })).status).toBe('active')
  })

  test('a save clears omitted fields, and an outdated If-Match changes nothing', async () => {
    const { id } = await team.user.createSubscription({ body: body({ meta: { title: 'First' } }) })
    const { headers } = await team.user.whole.getSubscription({ id })
    const saved = await team.user.saveSubscription({ id, body: body() })
    expect(saved.meta).toEqual({})
    const outdated = headers.get('etag') ?? ''
    await rejects(team.user.saveSubscription({ id, body: body({ meta: { title: 'Lost' } }), ifMatch: outdated }), {
      code: 'precondition_failed',
    })
    expect((await team.user.getSubscription({ id })).meta).toEqual({})
  })

  test('an input that is left out gets the default of its schema', async () => {
    const fullname = 'acme.app.bounded'
    const inputs = { min: { type: 'number', default: 3 }, note: { type: 'string', optional: true } }
    await team.owner.saveTrigger({ fullname, body: trigger(fullname, { inputs }) })
    const saved = await team.user.createSubscription({ body: subscription(fullname) })
    expect(saved.inputs).toEqual({ min: 3 })
    const own = await team.user.createSubscription({ body: subscription(fullname, { inputs: { min: 5 } }) })
    expect(own.inputs).toEqual({ min: 5 })
  })

  test('pausing and resuming change the status, and repeating them changes nothing', async () => {
    const { id } = await team.user.createSubscription({ body: body() })
    expect((await team.user.pauseSubscription({ id })).status).toBe('paused')
    expect((await team.user.pauseSubscription({ id })).status).toBe('paused')
    expect((await team.user.resumeSubscription({ id })).status).toBe('active')
  })

  test.each([
    { param: 'amount', op: 'gt' as const, value: '1000.5' },
    { param: 'amount', op: 'gt' as const, value: '{{inputs.note}}' },
    { param: 'name', op: 'gt' as const, value: 'abc' },
  ])('accepts the condition %j', async (conditions) => {
    const saved = await team.user.createSubscription({ body: body({ conditions }) })
    expect(saved.conditions).toEqual(conditions)
  })

  test.each([
    ['a required input is missing', { inputs: {} }, 'inputs.wallet'],
    ['an input is of the wrong type', { inputs: { wallet: 'nobody' } }, 'inputs.wallet'],
    ['a template of the overrides does not compile', { overrides: { title: '{{#if}}' } }, 'overrides.title'],
    [
      'a condition uses an unknown input',
      { conditions: { param: 'to', op: 'eq' as const, value: '{{inputs.nobody}}' } },
      'conditions.value',
    ],
    [
      'a number is compared with text',
      { conditions: { all: [{ param: 'amount', op: 'gt' as const, value: 'abc' }] } },
      'conditions.all.0.value',
    ],
    [
      'a number of the output is compared with text',
      { conditions: { not: { param: 'count', op: 'lte' as const, value: 'abc' } } },
      'conditions.not.value',
    ],
    ['a resource is named twice', { resources: ['acme.hook', 'acme.hook'] }, 'resources.1'],
    ['once_per_key has no key', { delivery: { mode: 'once_per_key' as const } }, 'delivery.keyPath'],
    ['topics come without a template', { topics: ['moves'] }, 'topics'],
    ['a policy is unknown', { policy: { type: 'sometimes' } as never }, 'policy.type'],
    ['a bound is no number', { policy: { ...threshold, above: 'much' } }, 'policy.above'],
    ['until is on the wrong side', { policy: { ...threshold, above: 5, until: 6 } }, 'policy.until'],
    ['a bound is an unknown input', { policy: { ...threshold, above: '{{inputs.nobody}}' } }, 'policy.above'],
    [
      'a bound is an input that is no number',
      { policy: { ...threshold, above: '{{inputs.note}}' }, inputs: { wallet, note: 'x' } },
      'policy.above',
    ],
  ])('is refused when %s', async (_, extra, path) => {
    const refused = await rejects(team.user.createSubscription({ body: body(extra) }), { code: 'invalid_payload' })
    expect(refused.details?.issues).toContainEqual(expect.objectContaining({ path }))
  })

  test('an account cannot subscribe to a trigger or deliver to a resource that it cannot see', async () => {
    const { stranger } = team
    await stranger.saveWorkspace({ fullname: 'away', body: { fullname: 'away' } })
    const elsewhere = { workspace: 'away', resources: [] }
    const own = await stranger.createSubscription({ body: body(elsewhere) })
    expect(own.workspace).toBe('away')
    await rejects(stranger.createSubscription({ body: body({ workspace: 'away' }) }), { code: 'not_found' })
    await rejects(stranger.createSubscription({ body: body({ resources: [] }) }), { code: 'not_found' })
    const hidden = subscription('acme.hidden.moved', { inputs: { wallet }, ...elsewhere })
    await rejects(stranger.createSubscription({ body: hidden }), { code: 'not_found' })
  })
})

describe('through a template', () => {
  test('topics and values are kept, and required values are required', async () => {
    const { id } = await team.owner.createTemplate({ fullname: 'acme.app', body: template('acme.app') })
    const chosen = { workspace: 'acme', project: 'acme.app', template: id, topics: ['moves'], resources: [] }
    const made = await team.user.createSubscription({ body: { ...chosen, values: { wallet: 'w' } } })
    expect(made).toMatchObject({ template: id, topics: ['moves'], values: { wallet: 'w' } })
    await rejects(team.user.createSubscription({ body: chosen }), { code: 'invalid_payload' })
    await rejects(team.user.createSubscription({ body: { ...chosen, topics: ['none'], values: { wallet: 'w' } } }), {
      code: 'invalid_payload',
    })
  })

  test('its own policy or delivery key on a field that a chosen trigger does not have is reported in the issue', async () => {
    const [one, other] = ['acme.app.ruled', 'acme.app.ruled-too']
    const shape = (outputSchema: Record<string, string>) => ({ outputSchema, transform: '({ balance: 1 })' })
    await team.owner.saveTrigger({ fullname: one, body: trigger(one, shape({ balance: 'number', owner: 'string' })) })
    await team.owner.saveTrigger({ fullname: other, body: trigger(other, shape({ balance: 'number' })) })
    const rule = { deprecated: false, requiredValues: [] }
    const rules = [
      { ...rule, id: 'r1', trigger: one, topic: 'moves' },
      { ...rule, id: 'r2', trigger: other, topic: 'stops' },
    ]
    const topics = ['moves', 'stops'].map((name) => ({
      name,
      group: 'g',
      selectedByDefault: true,
      meta: { title: name },
    }))
    const groups = [{ name: 'g', meta: { title: 'G', description: '' } }]
    const body = template('acme.app', { groups, topics, rules, schema: {} })
    const { id } = await team.owner.createTemplate({ fullname: 'acme.app', body })
    const common = { workspace: 'acme', project: 'acme.app', template: id, values: {}, resources: ['acme.hook'] }
    const issueOf = async (topics: string[], own: object) =>
      (await team.user.createSubscription({ body: { ...common, topics, ...own } })).issue
    const policy = { type: 'threshold' as const, value: 'balance', below: 10, key: 'owner' }
    expect(await issueOf(['moves'], { policy })).toBeUndefined()
    expect(await issueOf(['moves', 'stops'], { policy })).toBe(
      `policy.key names "owner", which the output of the trigger "${other}" does not have. The policy may treat all matches as one group.`,
    )
    const delivery = { mode: 'once_per_key' as const, keyPath: 'onwer' }
    expect(await issueOf(['moves'], { delivery })).toMatch(/^delivery\.keyPath names "onwer", .* "acme\.app\.ruled"/)
  })

  test('when the template is deleted, the subscription stays and shows an issue', async () => {
    const { id } = await team.owner.createTemplate({ fullname: 'acme.app', body: template('acme.app') })
    const chosen = { workspace: 'acme', project: 'acme.app', template: id, topics: ['moves'], values: { wallet: 'w' } }
    const made = await team.user.createSubscription({ body: { ...chosen, resources: [] } })
    await team.owner.deleteTemplate({ fullname: 'acme.app', id })
    expect((await team.user.getSubscription({ id: made.id })).issue).toContain('deleted')
  })
})

describe('visibility', () => {
  test('each account lists its own; owners and admins list all of the workspace, with the account', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const seenBy = async (person: keyof Team) =>
      (await team[person].listSubscriptions()).find((one) => one.id === id)?.account?.name
    expect((await team.developer.listSubscriptions()).map((one) => one.id)).toContain(id)
    expect(await seenBy('admin')).toBe('developer')
    expect(await seenBy('owner')).toBe('developer')
    expect((await team.user.listSubscriptions()).map((one) => one.id)).not.toContain(id)
  })

  test('lists are filtered and paged', async () => {
    const reader = await house.person('reader')
    await reader.saveWorkspace({ fullname: 'paged', body: { fullname: 'paged' } })
    const ids: string[] = []
    for (let made = 0; made < 3; made++)
      ids.push((await reader.createSubscription({ body: body({ workspace: 'paged', resources: [] }) })).id)
    const first = await reader.whole.listSubscriptions({ query: { workspace: 'paged', limit: 2 } })
    const cursor = /cursor=([^>&]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await reader.listSubscriptions({ query: { workspace: 'paged', limit: 2, cursor } })
    expect([...first.body, ...second].map((one) => one.id)).toEqual(ids)
    expect(await reader.listSubscriptions({ query: { trigger: 'acme.app.moved' } })).toHaveLength(3)
    await rejects(reader.listSubscriptions({ query: { cursor: 'bm9uZQ' } }), { code: 'invalid_query' })
  })

  test('a trigger’s logs count its listeners', async () => {
    await team.owner.saveTrigger({ fullname: 'acme.app.counted', body: trigger('acme.app.counted') })
    const one = await team.user.createSubscription({ body: subscription('acme.app.counted') })
    await team.user.createSubscription({ body: subscription('acme.app.counted') })
    await team.user.pauseSubscription({ id: one.id })
    const { subscriptions } = await team.owner.getTriggerLogs({ fullname: 'acme.app.counted' })
    expect(subscriptions).toEqual({ total: 2, active: 1, paused: 1 })
  })
})

describe('an account that loses access', () => {
  const member = async (name: string) => {
    const person = await house.person(name)
    const { invite = '' } = await team.owner.getWorkspace({ fullname: 'acme' })
    await person.joinWorkspace({ workspace: 'acme', body: { invite } })
    return person
  }
  const remove = async ({ id }: Person) => {
    const entry = (await team.owner.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === id)
    await team.owner.deleteAclEntry({ workspace: 'acme', entryId: entry?.id ?? '' })
  }

  test('to the workspace: the issue says so to the account and to the owner, until the account joins again', async () => {
    const leaver = await member('leaver')
    const { id, issue } = await leaver.createSubscription({ body: body() })
    expect(issue).toBeUndefined()
    await remove(leaver)
    const said = 'Its account is not a member of the workspace "acme", so this subscription makes no alerts.'
    expect(await leaver.getSubscription({ id })).toMatchObject({ status: 'active', issue: said })
    expect(await team.owner.getSubscription({ id })).toMatchObject({ issue: said, account: { id: leaver.id } })
    expect((await leaver.listSubscriptions()).map((one) => one.issue)).toEqual([said])
    const { invite = '' } = await team.owner.getWorkspace({ fullname: 'acme' })
    await leaver.joinWorkspace({ workspace: 'acme', body: { invite } })
    expect(await leaver.getSubscription({ id })).not.toHaveProperty('issue')
  })

  test('to the project: the issue says so', async () => {
    const reader = await house.person('outsider')
    await reader.saveWorkspace({ fullname: 'outside', body: { fullname: 'outside' } })
    await team.owner.saveProject({ fullname: 'acme.shut', body: project('acme.shut', { accessLevel: 'public' }) })
    await team.owner.saveTrigger({ fullname: 'acme.shut.t', body: trigger('acme.shut.t') })
    const { id } = await reader.createSubscription({ body: subscription('acme.shut.t', { workspace: 'outside' }) })
    await team.owner.saveProject({ fullname: 'acme.shut', body: project('acme.shut', { accessLevel: 'private' }) })
    expect((await reader.getSubscription({ id })).issue).toBe(
      'Its account may not read the project "acme.shut", so this subscription makes no alerts.',
    )
  })

  test('to a resource: the issue names it', async () => {
    const mover = await member('mover')
    await mover.saveWorkspace({ fullname: 'moved', body: { fullname: 'moved' } })
    await mover.saveResource({ fullname: 'moved.hook', body: resource('moved.hook') })
    const resources = ['acme.hook', 'moved.hook']
    const { id } = await mover.createSubscription({ body: body({ workspace: 'moved', resources }) })
    await remove(mover)
    expect((await mover.getSubscription({ id })).issue).toBe(
      'Not allowed to deliver to: acme.hook. Its account is not a member of the workspace.',
    )
  })
})

describe('alerts', () => {
  test('are listed newest first, can be filtered, and can be read in full', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const alert = (status: string) =>
      addAlert(house.databaseUrl, { subscriptionId: id, trigger: 'acme.app.moved', at: house.clock.now(), status })
    const [older, newer] = [await alert('delivered'), await alert('failed')]
    const listed = await team.developer.listAlerts({ query: { subscription: id } })
    expect(listed.map((one) => one.id)).toEqual([newer, older])
    const failed = await team.developer.listAlerts({ query: { trigger: 'acme.app.moved', status: 'failed' } })
    expect(failed.map((one) => one.id)).toContain(newer)
    expect(await team.developer.getAlert({ id: older })).toMatchObject({
      item: { n: 1 },
      output: { raw: { n: 1 }, human: { n: '1' } },
      deliveries: [],
      message: { title: 'Told' },
    })
  })

  test('carry their severity, and can be filtered by it', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const alert = (severity: string, status = 'delivered') => {
      const at = house.clock.now()
      return addAlert(house.databaseUrl, { subscriptionId: id, trigger: 'acme.app.moved', at, status, severity })
    }
    const ids = [
      await alert('info'),
      await alert('warning'),
      await alert('critical'),
      await alert('critical', 'failed'),
    ]
    const found = async (query: { severity?: 'info' | 'warning' | 'critical'; status?: 'failed' }) =>
      (await team.developer.listAlerts({ query: { subscription: id, ...query } })).map((one) => [one.id, one.severity])
    expect(await found({ severity: 'warning' })).toEqual([[ids[1], 'warning']])
    expect(await found({ severity: 'critical' })).toEqual([
      [ids[3], 'critical'],
      [ids[2], 'critical'],
    ])
    expect(await found({ severity: 'critical', status: 'failed' })).toEqual([[ids[3], 'critical']])
    expect(await found({ severity: 'info' })).toEqual([[ids[0], 'info']])
    expect(await team.developer.getAlert({ id: ids[1] ?? '' })).toMatchObject({ severity: 'warning' })
    const refused = await fetch(`${house.url}/api/alerts?severity=urgent`, {
      headers: { authorization: `Bearer ${team.developer.token}` },
    })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'invalid_query' } }])
    await rejects(team.developer.createSubscription({ body: body({ overrides: { severity: 'urgent' } }) }), {
      code: 'invalid_payload',
      details: { issues: [{ path: 'overrides.severity', message: expect.any(String) }] },
    })
  })

  test('can be searched by words, state and time, page by page', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const alert = (title: string, ageMs: number, state?: 'firing' | 'resolved') =>
      addAlert(house.databaseUrl, {
        ...{ subscriptionId: id, trigger: 'acme.app.moved', title },
        at: new Date(house.clock.now().getTime() - ageMs),
        ...(state && { state }),
      })
    const [old, hundred, firing] = [
      await alert('100% of the Pool', 7_200_000),
      await alert('1000 of the pool', 60_000),
      await alert('Low balance', 1_000, 'firing'),
    ]
    const found = async (query: { q?: string; since?: string; state?: 'firing' | 'resolved'; limit?: string }) =>
      (await team.developer.listAlerts({ query: { subscription: id, ...query } })).map((one) => one.id)
    expect(await found({ q: 'POOL' })).toEqual([hundred, old])
    expect(await found({ q: '100%' })).toEqual([old])
    expect(await found({ q: 'app.moved' })).toEqual([firing, hundred, old])
    expect(await found({ state: 'firing' })).toEqual([firing])
    expect(await found({ state: 'resolved' })).toEqual([])
    expect(await found({ since: new Date(house.clock.now().getTime() - 3_600_000).toISOString() })).toEqual([
      firing,
      hundred,
    ])
    const paged: string[] = []
    for await (const one of team.developer.each.listAlerts({ query: { subscription: id, q: 'pool', limit: '1' } }))
      paged.push(one.id)
    expect(paged).toEqual([hundred, old])
    expect(await found({ q: 'nothing like it' })).toEqual([])
  })

  test('are pending until their deliveries have arrived, and can be filtered by status', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const alert = (delivery?: 'pending' | 'delivered') =>
      addAlert(house.databaseUrl, {
        subscriptionId: id,
        trigger: 'acme.app.moved',
        at: house.clock.now(),
        ...(delivery ? { status: delivery, delivery: { resource: 'acme.hook', status: delivery } } : {}),
      })
    const [settled, arrived, waiting] = [await alert(), await alert('delivered'), await alert('pending')]
    const found = async (status?: 'pending' | 'delivered' | 'failed') =>
      (await team.developer.listAlerts({ query: { subscription: id, ...(status && { status }) } })).map(
        (one) => `${one.id} ${one.status}`,
      )
    expect(await found('pending')).toEqual([`${waiting} pending`])
    expect(await found('delivered')).toEqual([`${arrived} delivered`, `${settled} delivered`])
    expect(await found('failed')).toEqual([])
    expect(await found()).toEqual([...(await found('pending')), ...(await found('delivered'))])
    expect(await team.developer.getAlert({ id: arrived })).toMatchObject({ status: 'delivered' })
    const tagOf = async (id: string) => (await team.developer.whole.getAlert({ id })).headers.get('etag')
    const before = await tagOf(waiting)
    expect(before).toMatch(/^"[^"]+"$/)
    expect(await tagOf(waiting)).toBe(before)
    await query(house, `update alerts set status = 'delivered', updated_at = now() where id = '${waiting}'`)
    expect(await tagOf(waiting)).not.toBe(before)
  })

  test('are listed for their account and for owners and admins of the workspace, each once, in pages', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const ids: string[] = []
    for (let made = 0; made < 5; made++)
      ids.unshift(
        await addAlert(house.databaseUrl, { subscriptionId: id, trigger: 'acme.app.moved', at: house.clock.now() }),
      )
    for (const reader of [team.developer, team.owner, team.admin]) {
      const first = await reader.whole.listAlerts({ query: { workspace: 'acme', subscription: id, limit: 3 } })
      const cursor = /cursor=([^>&]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
      const second = await reader.listAlerts({ query: { workspace: 'acme', subscription: id, limit: 3, cursor } })
      expect([...first.body, ...second].map((one) => one.id)).toEqual(ids)
    }
    const others = (await team.user.listAlerts({ query: { workspace: 'acme' } })).map((one) => one.id)
    expect(others.filter((other) => ids.includes(other))).toEqual([])
  })

  test('are replayed: the deliveries that failed, or all if none failed', async () => {
    const { id: subscriptionId } = await team.developer.createSubscription({ body: body() })
    const add = (status: 'delivered' | 'pending') => {
      const delivery = { resource: 'acme.hook', status }
      const at = house.clock.now()
      return addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.app.moved', at, status, delivery })
    }
    const [arrived, underWay] = [await add('delivered'), await add('pending')]
    const none = await team.developer.replayAlert({ id: arrived, body: { all: false } })
    expect(none).toMatchObject({ status: 'delivered', deliveries: [{ status: 'delivered' }] })
    const again = await team.developer.replayAlert({ id: arrived })
    expect(again).toMatchObject({ status: 'pending', deliveries: [{ status: 'delivered' }, { status: 'pending' }] })
    expect((await team.developer.replayAlert({ id: underWay })).deliveries).toHaveLength(1)
  })

  test('are replayed together: the answer says for each what was sent, and others do not stop it', async () => {
    const { id: subscriptionId } = await team.developer.createSubscription({ body: body() })
    const add = (status: 'delivered' | 'pending' | 'failed' | 'retracted', sent: 'delivered' | 'dead' | 'pending') => {
      const delivery = { resource: 'acme.hook', status: sent }
      const at = house.clock.now()
      return addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.app.moved', at, status, delivery })
    }
    const failed = await add('failed', 'dead')
    const arrived = await add('delivered', 'delivered')
    const underWay = await add('pending', 'pending')
    const retracted = await add('retracted', 'delivered')
    const ids = [failed, 'al_none', arrived, underWay, retracted]
    const unseen = ids.map((id) => ({ id, outcome: 'not_found', deliveries: 0 }))
    expect(await team.user.replayAlerts({ body: { ids } })).toEqual({ totalCount: 5, resentCount: 0, items: unseen })
    expect((await team.owner.getAlert({ id: failed })).deliveries).toHaveLength(1)

    const nothing = { outcome: 'nothing_to_send', deliveries: 0 }
    const rest = [
      { id: underWay, ...nothing },
      { id: retracted, ...nothing },
    ]
    expect(await team.developer.replayAlerts({ body: { ids } })).toEqual({
      totalCount: 5,
      resentCount: 2,
      items: [
        { id: failed, outcome: 'resent', deliveries: 1 },
        { id: 'al_none', outcome: 'not_found', deliveries: 0 },
        { id: arrived, outcome: 'resent', deliveries: 1 },
        ...rest,
      ],
    })
    const deliveriesOf = async (id: string) =>
      (await team.owner.getAlert({ id })).deliveries.map(({ status }) => status)
    expect(await deliveriesOf(failed)).toEqual(['dead', 'pending'])
    expect(await deliveriesOf(arrived)).toEqual(['delivered', 'pending'])
    expect(await team.owner.replayAlerts({ body: { ids, all: true } })).toMatchObject({ resentCount: 0 })
    const entries = await team.owner.listAudit({ fullname: 'acme', query: { action: 'alert.replay' } })
    expect(
      entries
        .slice(0, 2)
        .map(({ fullname }) => fullname)
        .toSorted(),
    ).toEqual([arrived, failed].toSorted())
    await rejects(team.developer.replayAlerts({ body: { ids: [failed, failed] } }), { code: 'invalid_payload' })
    const many = Array.from({ length: 101 }, (_, at) => `al_${at}`)
    await rejects(team.developer.replayAlerts({ body: { ids: many } }), { code: 'invalid_payload' })
  })

  test('are pushed over open streams to accounts that may see them', async () => {
    const { id } = await team.developer.createSubscription({ body: body() })
    const own = await team.user.createSubscription({ body: body() })
    const [mine, others] = [await team.developer.streamEvents(), await team.user.streamEvents()]
    const told = (subscriptionId: string) =>
      addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.app.moved', at: house.clock.now() })
    const [developers, users] = [await told(id), await told(own.id)]
    expect((await mine.next()).value).toMatchObject({ event: 'alert', data: { id: developers } })
    expect((await others.next()).value).toMatchObject({ event: 'alert', data: { id: users } })
    await mine.return(undefined)
    await others.return(undefined)
  })

  test('are pushed when they are delivered or retracted, also those that are older than the stream', async () => {
    const { id: subscriptionId } = await team.developer.createSubscription({ body: body() })
    const at = house.clock.now()
    const id = await addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.app.moved', at, status: 'pending' })
    const stream = await team.developer.streamEvents()
    const told = await addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.app.moved', at })
    expect((await stream.next()).value).toMatchObject({ event: 'alert', data: { id: told } })
    await query(house, "update alerts set status = 'delivered', updated_at = $2 where id = $1", [id, at])
    expect((await stream.next()).value).toMatchObject({ event: 'alert', data: { id, status: 'delivered' } })
    await query(house, "update alerts set status = 'retracted', updated_at = $2 where id = $1", [id, at])
    expect((await stream.next()).value).toMatchObject({ event: 'alert', data: { id, status: 'retracted' } })
    await stream.return(undefined)
  })
})

describe('testing one', () => {
  test('shows the result of a sample: output, conditions, message and the preview for each resource', async () => {
    const fullname = 'acme.app.tried'
    await team.owner.saveTrigger({
      fullname,
      body: trigger(fullname, {
        transform: '({ at: source.now })',
        defaults: { title: 'Tick at {{raw.at}}', short: 'from defaults' },
      }),
    })
    const { id } = await team.user.createSubscription({
      body: subscription(fullname, {
        resources: ['acme.hook'],
        conditions: { param: 'at', op: 'startsWith', value: '2031' },
        overrides: { short: 'to {{address "0xabc"}}' },
      }),
    })
    const told = await team.user.testSubscription({ id, body: { input: { now: '2031-01-01T00:00:00.000Z' } } })
    expect(told).toMatchObject({
      valid: true,
      results: [
        {
          trigger: fullname,
          activated: true,
          conditionsMet: true,
          raw: { at: '2031-01-01T00:00:00.000Z' },
          message: { title: 'Tick at 2031-01-01T00:00:00.000Z' },
          previews: [{ resource: 'acme.hook', blueprint: 'common.delivery.webhook' }],
        },
      ],
      deliveries: [],
    })
    const known = (await team.user.listBlueprints()).map(({ fullname }) => fullname)
    expect(told.results[0]?.channels?.map(({ blueprint }) => blueprint)).toEqual(known)
    for (const { body } of told.results[0]?.channels ?? []) expect(JSON.stringify(body)).toContain('to 0xabc')
    const overrides = { title: 'Own {{raw.at}}', short: 'of mine' }
    const typed = await team.user.testSubscription({ id, body: { input: { now: '2031' }, overrides } })
    expect(typed.results[0]?.message).toMatchObject({ title: 'Own 2031', short: 'of mine' })
    for (const { body } of typed.results[0]?.channels ?? []) expect(JSON.stringify(body)).toContain('Own 2031')
    expect((await team.user.getSubscription({ id })).overrides).toEqual({ short: 'to {{address "0xabc"}}' })
    const unmet = await team.user.testSubscription({ id, body: { input: { now: '2030' } } })
    expect(unmet.results[0]?.conditionsMet).toBe(false)
    expect(await team.user.listAlerts({ query: { subscription: id } })).toEqual([])
  })

  test('shows an uploaded picture by its public URL, on every channel', async () => {
    const channels = {
      discord: { url: 'https://discord.example.org/api/webhooks/1/x' },
      email: { to: 'ann@example.org' },
      slack: { url: 'https://slack.example.org/services/x' },
      telegram: undefined,
      webhook: { url: 'https://example.org/hook' },
    }
    const resources = Object.keys(channels).map((kind) => `acme.pictured-${kind}`)
    for (const [kind, data] of Object.entries(channels)) {
      const fullname = `acme.pictured-${kind}`
      await team.owner.saveResource({
        fullname,
        body: resource(fullname, { blueprint: `common.delivery.${kind}`, data }),
      })
    }
    const cover = '/api/projects/acme.app/images/cover-1.png'
    const { id } = await team.user.createSubscription({
      body: subscription('acme.app.tried', { resources, overrides: { cover } }),
    })
    const { results } = await team.user.testSubscription({ id, body: { input: { now: '2031' } } })
    expect(results[0]?.previews).toHaveLength(5)
    for (const { blueprint, body } of results[0]?.previews ?? [])
      expect(`${blueprint} ${JSON.stringify(body)}`).toContain(`${house.url}${cover}`)
  })

  test('sends the shown item again, and with `always` also if the sample does not match', async () => {
    const fullname = 'acme.app.silent'
    const hooked = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
    const receiver = await startReceiver()
    try {
      const ann = await hooked.person('ann')
      await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
      await ann.saveProject({ fullname: 'acme.app', body: project('acme.app') })
      const activation = 'source.amount > 5'
      const title = 'Amount {{raw.amount}}'
      await ann.saveTrigger({ fullname, body: trigger(fullname, { activation, defaults: { title } }) })
      await ann.saveResource({
        fullname: 'acme.hook',
        body: resource('acme.hook', { data: { url: receiver.url } }),
      })
      const { id } = await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'] }) })
      const shown = await ann.testSubscription({ id, body: { input: { amount: 3 } } })
      expect(shown.results).toMatchObject([{ activated: false, input: { amount: 3 } }])
      const inputs = { [fullname]: { amount: 3 } }
      expect((await ann.testSubscription({ id, body: { inputs, deliver: true } })).deliveries).toEqual([])
      const sent = await ann.testSubscription({ id, body: { inputs, deliver: true, always: true } })
      expect(sent.results).toMatchObject([{ activated: false, message: { title: 'Amount 3' } }])
      expect(sent.deliveries).toMatchObject([{ resource: 'acme.hook', ok: true }])
      expect(receiver.received).toHaveLength(1)
      expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
        type: 'alert.test',
        data: { message: { title: 'Amount 3' } },
      })
    } finally {
      receiver.close()
      await hooked.close()
    }
  })

  test('sends on request and reports failures; a private address is refused', async () => {
    const { id } = await team.user.createSubscription({
      body: subscription('acme.app.counted', { resources: ['acme.hook'] }),
    })
    await team.owner.saveResource({
      fullname: 'acme.hook',
      body: resource('acme.hook', { data: { url: 'http://127.0.0.1:9/hook' } }),
    })
    const told = await team.user.testSubscription({ id, body: { deliver: true } })
    expect(told.deliveries).toMatchObject([{ resource: 'acme.hook', ok: false }])
  })
})
