import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Harness,
  type Person,
  project,
  rejects,
  sharedHarness,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('designs')
})

let count = 0
async function newProject(extra: Parameters<typeof project>[1] = {}): Promise<string> {
  const fullname = `designs.p${count++}`
  await team.owner.saveProject({ fullname, body: project(fullname, extra) })
  return fullname
}
type Extra = NonNullable<Parameters<typeof template>[1]>
const create = (fullname: string, extra: Extra = {}, person: Person = team.developer) =>
  person.createTemplate({ fullname, body: template(fullname, extra) })
const titled = (title: string) => ({ meta: { title, description: '' } })

describe('the root', () => {
  test('is the first template, and after its deletion the oldest remaining one', async () => {
    const fullname = await newProject()
    await rejects(team.user.getRootTemplate({ fullname }), { code: 'not_found', status: 404 })
    const made = [await create(fullname, titled('a')), await create(fullname, titled('b')), await create(fullname)]
    expect(made.map(({ root }) => root)).toEqual([true, false, false])
    expect(await team.user.getRootTemplate({ fullname })).toEqual(made[0])
    expect((await team.user.listTemplates({ fullname })).map(({ id }) => id)).toEqual(made.map(({ id }) => id))

    expect(await team.admin.deleteTemplate({ fullname, id: made[0]?.id ?? '' })).toEqual({ ok: true })
    expect(await team.user.getRootTemplate({ fullname })).toEqual({ ...made[1], root: true })
    await rejects(team.user.getTemplate({ fullname, id: made[0]?.id ?? '' }), { code: 'not_found', status: 404 })
    for (const { id } of await team.user.listTemplates({ fullname })) await team.owner.deleteTemplate({ fullname, id })
    await rejects(team.user.getRootTemplate({ fullname }), { code: 'not_found', status: 404 })
  })

  test('is unique, also if several first templates are saved concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const fullname = await newProject()
      const made = await Promise.all([create(fullname), create(fullname), create(fullname)])
      expect(made.filter(({ root }) => root)).toHaveLength(1)
      expect((await team.user.listTemplates({ fullname })).map(({ root }) => root)).toEqual([true, false, false])
    }
  })
})

describe('saving', () => {
  test('keeps the payload and the id', async () => {
    const fullname = await newProject()
    const rich = template(fullname, {
      schema: { wallet: { type: 'address', addressType: 'evm' }, min: 'number' },
      rules: [
        {
          id: 'r1',
          trigger: `${fullname}.moved`,
          topic: 'moves',
          inputs: { who: '{{inputs.wallet}}', note: 'over {{ inputs.min }}' },
          conditions: { all: [{ param: 'amount', op: 'gt', value: '{{inputs.min}}' }] },
          policy: { type: 'throttle', key: '{{inputs.wallet}}', per: '5m' },
          deprecated: false,
          requiredValues: ['wallet'],
        },
        {
          id: 'r2',
          trigger: `${fullname}.t`,
          topic: 'moves',
          inputs: null,
          conditions: null,
          policy: null,
          deprecated: true,
          requiredValues: [],
        },
      ],
    })
    const { id } = await create(fullname)
    const saved = await team.developer.saveTemplate({ fullname, id, body: rich })
    expect(saved).toMatchObject({ ...rich, id, root: true })
    expect(await team.user.getTemplate({ fullname, id })).toEqual(saved)
    expect(await team.user.getProject({ fullname })).toMatchObject({ counts: { templates: 1 } })
  })

  test('accepts one JSON Schema of an object instead of a map of inputs, and keeps it unchanged', async () => {
    const fullname = await newProject()
    const schema = {
      type: 'object',
      properties: { wallet: { type: 'string' } },
      required: ['wallet'],
      additionalProperties: false,
    }
    expect(await create(fullname, { schema })).toMatchObject({ schema })
  })

  test('a topic names its group with or without the project', async () => {
    const fullname = await newProject()
    const topics = [{ name: 't', group: `${fullname}.main`, selectedByDefault: false, meta: { title: 'T' } }]
    expect(await create(fullname, { topics, rules: [] })).toMatchObject({ topics })
  })

  test('of two saves with the same If-Match one wins', async () => {
    const fullname = await newProject()
    const { id } = await create(fullname)
    for (let round = 0; round < 5; round++) {
      const ifMatch = (await team.owner.whole.getTemplate({ fullname, id })).headers.get('etag') ?? ''
      const saves = ['one', 'two'].map((title) =>
        team.developer.saveTemplate({ fullname, id, ifMatch, body: template(fullname, titled(title)) }),
      )
      const outcomes = await Promise.allSettled(saves)
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(lost).toMatchObject([{ code: 'precondition_failed', status: 412 }])
    }
    const stale = team.owner.deleteTemplate({ fullname, id, ifMatch: '"stale.1"' })
    await rejects(stale, { code: 'precondition_failed', status: 412 })
  })

  test('a template of another project is not found', async () => {
    const [one, two] = [await newProject(), await newProject()]
    const { id } = await create(one)
    await rejects(team.owner.getTemplate({ fullname: two, id }), { code: 'not_found' })
    await rejects(team.owner.saveTemplate({ fullname: two, id, body: template(two) }), { code: 'not_found' })
    await rejects(team.owner.deleteTemplate({ fullname: two, id }), { code: 'not_found' })
  })
})

describe('refusals', () => {
  const group = (name: string) => ({ name, meta: { title: name, description: '' } })
  const topic = (name: string, of = 'main') => ({ name, group: of, selectedByDefault: true, meta: { title: name } })
  const rule = (extra: object) => ({
    id: 'r1',
    trigger: 'designs.p.t',
    topic: 'moves',
    deprecated: false,
    requiredValues: [],
    ...extra,
  })

  test.each<[string, string, object]>([
    ['two groups of one name', 'groups.1.name', { groups: [group('main'), group('main')] }],
    ['two topics of one name', 'topics.1.name', { topics: [topic('moves'), topic('moves')] }],
    ['two rules of one id', 'rules.1.id', { rules: [rule({}), rule({})] }],
    ['a topic without its group', 'topics.0.group', { topics: [topic('moves', 'none')] }],
    ['a rule without its topic', 'rules.0.topic', { rules: [rule({ topic: 'none' })] }],
    [
      'a required value not in the schema',
      'rules.0.requiredValues.1',
      { rules: [rule({ requiredValues: ['wallet', 'none'] })] },
    ],
    [
      'a required value that is a name of the object prototype',
      'rules.0.requiredValues.0',
      { rules: [rule({ requiredValues: ['constructor'] })] },
    ],
    [
      'an input not in the schema, in inputs',
      'rules.0.inputs.a.b.0',
      { rules: [rule({ inputs: { a: { b: ['x {{inputs.none}}'] } } })] },
    ],
    [
      'an input not in the schema, in conditions',
      'rules.0.conditions.not.value',
      { rules: [rule({ conditions: { not: { param: 'p', op: 'eq', value: '{{ inputs.none.deep }}' } } })] },
    ],
    [
      'an input not in the schema, in the policy',
      'rules.0.policy.key',
      { rules: [rule({ policy: { type: 'monitor', key: '{{inputs.none?}}' } })] },
    ],
    [
      'an unknown condition',
      'rules.0.conditions.op',
      { rules: [rule({ conditions: { param: 'p', op: 'like', value: 1 } })] },
    ],
    ['an unknown policy', 'rules.0.policy.type', { rules: [rule({ policy: { type: 'odd' } })] }],
    ['an invalid schema', 'schema.none', { schema: { wallet: 'string', none: ['string'] } }],
    [
      'an object’s schema without properties',
      'schema.required',
      { schema: { type: 'object', required: [] }, rules: [] },
    ],
    ['a missing title', 'meta.title', { meta: { description: '' } }],
  ])('%s', async (_, path, extra) => {
    const fullname = await newProject()
    const { id } = await create(fullname)
    const body = template(fullname, extra as Extra)
    const expected = { code: 'invalid_payload', status: 400, details: { issues: [{ path }] } } as const
    await rejects(team.developer.createTemplate({ fullname, body }), expected)
    await rejects(team.developer.saveTemplate({ fullname, id, body }), expected)
  })

  test('a project in the payload that differs from the path', async () => {
    const fullname = await newProject()
    const { id } = await create(fullname)
    const expected = { code: 'fullname_mismatch', status: 400 } as const
    await rejects(team.owner.createTemplate({ fullname, body: template('designs.other') }), expected)
    await rejects(team.owner.saveTemplate({ fullname, id, body: template('designs.other') }), expected)
  })

  test('a cursor of another list', async () => {
    const fullname = await newProject()
    const cursor = Buffer.from('not a number').toString('base64url')
    await rejects(team.user.listTemplates({ fullname, query: { cursor } }), { code: 'invalid_query', status: 400 })
  })
})

test('a condition on a field that its trigger does not describe is saved with an issue', async () => {
  const fullname = await newProject()
  const moved = `${fullname}.moved`
  const outputSchema = { amount: 'balance' }
  await team.owner.saveTrigger({ fullname: moved, body: trigger(moved, { outputSchema }) })
  const saved = async (param: string) => {
    const conditions = { all: [{ param, op: 'gt' as const, value: 1 }] }
    const rules = [
      { id: 'r1', trigger: moved, topic: 'moves', deprecated: false, requiredValues: [], conditions },
      { id: 'r2', trigger: moved, topic: 'moves', deprecated: false, requiredValues: [] },
    ]
    return team.owner.createTemplate({ fullname, body: template(fullname, { rules }) })
  }
  expect(await saved('amount')).not.toHaveProperty('issue')
  const doubtful = await saved('amuont')
  expect(doubtful.rules[1]).not.toHaveProperty('issue')
  expect(doubtful.rules[0]?.issue).toContain('"amuont"')
  expect(doubtful.issue).toBe('Conditions that may never be true: r1.')
  const { id } = doubtful
  const named = { outputSchema: { amuont: 'balance' } }
  await team.owner.saveTrigger({ fullname: moved, body: trigger(moved, named) })
  expect(await team.user.getTemplate({ fullname, id })).not.toHaveProperty('issue')
})

test('a policy on a field that the output of its trigger does not have is saved with an issue', async () => {
  const fullname = await newProject()
  const moved = `${fullname}.moved`
  const schemas = { outputSchema: { amount: 'balance' }, filtersSchema: { owner: 'string' } }
  await team.owner.saveTrigger({ fullname: moved, body: trigger(moved, { ...schemas, transform: '({ amount: 1 })' }) })
  const rule = (id: string, value: string, key?: string) => ({
    ...{ id, trigger: moved, topic: 'moves', deprecated: false, requiredValues: [] },
    policy: { type: 'threshold' as const, value, below: 10, ...(key && { key }) },
  })
  const rules = [
    rule('good', 'amount'),
    rule('typo', 'amuont'),
    rule('filter', 'amount', 'owner'),
    rule('input', 'amount', '{{inputs.wallet}}'),
  ]
  const saved = await team.owner.createTemplate({ fullname, body: template(fullname, { rules }) })
  expect(saved.rules.map(({ issue }) => issue)).toEqual([
    undefined,
    `policy.value names "amuont", which the output of the trigger "${moved}" does not have. The policy may never fire.`,
    `policy.key names "owner", which the output of the trigger "${moved}" does not have. The policy may treat all matches as one group.`,
    undefined,
  ])
  expect(saved.issue).toBe('Policies that name unknown fields: typo, filter.')
  await team.owner.saveTrigger({ fullname: moved, body: trigger(moved) })
  expect((await team.user.getTemplate({ fullname, id: saved.id })).issue).toContain('good, typo')
  await team.owner.saveTrigger({ fullname: moved, body: trigger(moved, { transform: '({ amount: 1 })' }) })
  expect(await team.user.getTemplate({ fullname, id: saved.id })).not.toHaveProperty('issue')
})

test('a condition that compares a number with text is refused', async () => {
  const fullname = await newProject()
  const moved = `${fullname}.moved`
  await team.owner.saveTrigger({ fullname: moved, body: trigger(moved, { filtersSchema: { amount: 'balance' } }) })
  const body = (value: string) => {
    const conditions = { not: { param: 'amount', op: 'gt' as const, value } }
    const rule = { id: 'r1', trigger: moved, topic: 'moves', deprecated: false, requiredValues: [], conditions }
    return template(fullname, { rules: [rule] })
  }
  const { id } = await team.owner.createTemplate({ fullname, body: body('1.5') })
  const path = 'rules.0.conditions.not.value'
  for (const save of [
    () => team.owner.createTemplate({ fullname, body: body('abc') }),
    () => team.owner.saveTemplate({ fullname, id, body: body('abc') }),
  ]) {
    const refused = await rejects(save(), { code: 'invalid_payload', status: 400 })
    expect(refused.details?.issues).toMatchObject([{ path }])
  }
})

describe('a rule without its trigger', () => {
  test('is saved with an issue that disappears when the trigger exists', async () => {
    const fullname = await newProject()
    const before = await create(fullname)
    expect(before.rules[0]?.issue).toContain(`${fullname}.moved`)
    expect(before.issue).toContain('r1')
    await team.developer.saveTrigger({ fullname: `${fullname}.moved`, body: trigger(`${fullname}.moved`) })
    const after = await team.user.getTemplate({ fullname, id: before.id })
    expect(after.rules[0]).not.toHaveProperty('issue')
    expect(after).not.toHaveProperty('issue')
    await team.developer.deleteTrigger({ fullname: `${fullname}.moved` })
    expect(await team.user.listTemplates({ fullname })).toMatchObject([{ issue: expect.any(String) }])
  })

  test('does not reveal private triggers of other workspaces', async () => {
    const other = await house.team('hidden')
    await other.owner.saveProject({ fullname: 'hidden.p', body: project('hidden.p') })
    await other.owner.saveTrigger({ fullname: 'hidden.p.t', body: trigger('hidden.p.t') })
    const fullname = await newProject()
    const [rule] = template(fullname).rules
    const { id, rules } = await create(fullname, { rules: [{ ...rule!, trigger: 'hidden.p.t' }] })
    expect(rules[0]).toHaveProperty('issue')
    await other.owner.saveProject({ fullname: 'hidden.p', body: project('hidden.p', { public: true }) })
    expect((await team.user.getTemplate({ fullname, id })).rules[0]).not.toHaveProperty('issue')
  })
})

describe('access', () => {
  test('read: everyone who can read the project', async () => {
    const fullname = await newProject()
    const { id } = await create(fullname)
    const calls = (person: Omit<Person, 'id' | 'email' | 'token'>) => [
      () => person.listTemplates({ fullname }),
      () => person.getRootTemplate({ fullname }),
      () => person.getTemplate({ fullname, id }),
    ]
    for (const call of calls(team.user)) await call()
    for (const call of calls(team.stranger)) await rejects(call(), { code: 'not_found', status: 404 })
    for (const call of calls(house.nobody)) await rejects(call(), { code: 'unauthenticated', status: 401 })
    await team.owner.saveProject({ fullname, body: project(fullname, { public: true }) })
    for (const call of calls(team.stranger)) await call()
  })

  test('save: developers; delete: admins', async () => {
    const fullname = await newProject()
    const { id } = await create(fullname)
    const body = template(fullname)
    const saves = (person: Omit<Person, 'id' | 'email' | 'token'>) => [
      () => person.createTemplate({ fullname, body }),
      () => person.saveTemplate({ fullname, id, body }),
    ]
    const forbidden = { code: 'forbidden', status: 403 } as const
    for (const call of saves(team.user)) await rejects(call(), forbidden)
    for (const call of saves(team.stranger)) await rejects(call(), { code: 'not_found', status: 404 })
    for (const call of saves(house.nobody)) await rejects(call(), { code: 'unauthenticated', status: 401 })
    for (const call of saves(team.developer)) await call()
    for (const person of [team.developer, team.user]) await rejects(person.deleteTemplate({ fullname, id }), forbidden)
    await rejects(team.stranger.deleteTemplate({ fullname, id }), { code: 'not_found', status: 404 })
    await rejects(house.nobody.deleteTemplate({ fullname, id }), { code: 'unauthenticated', status: 401 })
    await team.owner.saveProject({ fullname, body: project(fullname, { public: true }) })
    for (const call of saves(team.stranger)) await rejects(call(), forbidden)
    await team.admin.deleteTemplate({ fullname, id })
  })
})

test('the list is paged, oldest first', async () => {
  const fullname = await newProject()
  const made = [await create(fullname), await create(fullname), await create(fullname)].map(({ id }) => id)
  const first = await team.user.whole.listTemplates({ fullname, query: { limit: 2 } })
  const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
  const rest = await team.user.listTemplates({ fullname, query: { limit: 2, cursor } })
  expect([...first.body, ...rest].map(({ id }) => id)).toEqual(made)
})
