import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, harness, rejects, resource, type Team } from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
})
afterAll(() => house.close())

const telegram = 'common.delivery.telegram'

async function newChat(name: string): Promise<{ fullname: string; token: string }> {
  const fullname = `acme.${name}`
  const body = resource(fullname, { blueprint: telegram, data: undefined, meta: { title: `Chat ${name}` } })
  const { token = '' } = await team.owner.saveResource({ fullname, body })
  return { fullname, token }
}

test('whoever holds the token reads what to do, without an account', async () => {
  const { token } = await newChat('guide')
  const view = await house.nobody.getExternalResource({ token })
  expect(view).toMatchObject({ title: 'Chat guide', ready: false, blocks: [{ type: 'markdown' }] })
  expect(view.blocks[0]?.text).toMatch(/Telegram/)
  expect(JSON.stringify(view)).not.toContain(token)
})

test('without a title the name stands for it', async () => {
  const body = resource('acme.untitled', { blueprint: telegram })
  const { token = '' } = await team.owner.saveResource({ fullname: 'acme.untitled', body })
  expect(await house.nobody.getExternalResource({ token })).toMatchObject({ title: 'untitled' })
})

test('a submitted object makes the resource ready and is shown to nobody', async () => {
  const { fullname, token } = await newChat('done')
  const transform = { chatId: -100123, title: 'Ops room', kind: 'supergroup', topic: 'Alerts', accessHash: 'hush' }
  expect(await house.nobody.submitExternalResource({ token, body: { transform } })).toEqual({ ok: true })
  for (const person of [team.owner, team.admin, team.developer, team.user]) {
    const view = await person.getResource({ fullname })
    expect(view).toMatchObject({ ready: true, remark: null })
    expect(view.destinationSummary).toEqual({
      service: 'telegram',
      title: 'Ops room',
      kind: 'supergroup',
      topic: 'Alerts',
    })
    expect(view).not.toHaveProperty('data')
    expect(JSON.stringify(view)).not.toMatch(/100123|hush/)
  }
  const external = await house.nobody.getExternalResource({ token })
  expect(external).toMatchObject({ ready: true })
  expect(JSON.stringify(external)).not.toMatch(/100123|hush/)
})

test('a destination that does not name itself is named after its service', async () => {
  const { fullname, token } = await newChat('nameless')
  await house.nobody.submitExternalResource({ token, body: { transform: { title: 5, kind: ['x'], topic: ' ' } } })
  const { destinationSummary } = await team.user.getResource({ fullname })
  expect(destinationSummary).toEqual({ service: 'telegram', title: 'Telegram' })
})

test('null clears the destination', async () => {
  const { fullname, token } = await newChat('cleared')
  await house.nobody.submitExternalResource({ token, body: { transform: { chatId: 1, title: 'Ops' } } })
  await house.nobody.submitExternalResource({ token, body: { transform: null } })
  const view = await team.owner.getResource({ fullname })
  expect(view).toMatchObject({ ready: false, remark: 'Setup is not finished', token })
  expect(view).not.toHaveProperty('destinationSummary')
  expect(await house.service.store.resources.readPrivate(view.id)).toBeUndefined()
})

test.each([{}, { transform: 'text' }, { transform: 7 }, { transform: [1] }, { transform: true }])(
  '%j is no setup result',
  async (body) => {
    const { token } = await newChat('malformed')
    const submit = house.nobody.submitExternalResource({ token, body: body as never })
    await rejects(submit, { code: 'invalid_payload', status: 400 })
  },
)

test('an unknown token leads nowhere, and neither does one of another kind', async () => {
  const unknown = `tcn_resource_${'x'.repeat(43)}`
  for (const token of [unknown, 'x', team.owner.token]) {
    await rejects(house.nobody.getExternalResource({ token }), { code: 'not_found', status: 404 })
    const submit = house.nobody.submitExternalResource({ token, body: { transform: {} } })
    await rejects(submit, { code: 'not_found', status: 404 })
  }
})

test('answers are not kept by caches nor told to other sites, and the token is not logged', async () => {
  const { token } = await newChat('quiet')
  const read = await house.nobody.whole.getExternalResource({ token })
  const submitted = await house.nobody.whole.submitExternalResource({ token, body: { transform: null } })
  for (const { headers } of [read, submitted]) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
  expect(house.logs.length).toBeGreaterThan(0)
  expect(house.logs.join('\n')).not.toContain(token)
})

test('submissions at once leave one whole destination', async () => {
  const { fullname, token } = await newChat('crowded')
  const submissions = [1, 2, 3, 4].map((n) =>
    house.nobody.submitExternalResource({ token, body: { transform: { chatId: n, title: `Room ${n}` } } }),
  )
  await Promise.all(submissions)
  const view = await team.owner.getResource({ fullname })
  const kept = await house.service.store.resources.readPrivate(view.id)
  expect(view.destinationSummary?.title).toBe(`Room ${kept?.chatId}`)
})
