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

test('the holder of the token reads the setup without an account', async () => {
  const { token } = await newChat('guide')
  const view = await house.nobody.getExternalResource({ token })
  expect(view).toMatchObject({ title: 'Chat guide', ready: false, blocks: [{ type: 'markdown' }] })
  expect(view.blocks[0]?.text).toMatch(/Telegram/)
  expect(JSON.stringify(view)).not.toContain(token)
})

test('without a title the name is shown', async () => {
  const body = resource('acme.untitled', { blueprint: telegram })
  const { token = '' } = await team.owner.saveResource({ fullname: 'acme.untitled', body })
  expect(await house.nobody.getExternalResource({ token })).toMatchObject({ title: 'untitled' })
})

test('a submitted object makes the resource ready and is never shown', async () => {
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

test('a destination without a title gets the name of its service', async () => {
  const { fullname, token } = await newChat('nameless')
  await house.nobody.submitExternalResource({
    token,
    body: { transform: { chatId: '@ops_room', title: '', topic: ' ' } },
  })
  const { destinationSummary } = await team.user.getResource({ fullname })
  expect(destinationSummary).toEqual({ service: 'telegram', title: 'Telegram' })
})

test('only the chat and its cleaned names are stored of a submission', async () => {
  const { fullname, token } = await newChat('exact')
  const transform = { chatId: -1009, topicId: 4, title: 'Ops\u202e\n room', botToken: 'hush', nested: { chatId: 1 } }
  await house.nobody.submitExternalResource({ token, body: { transform } })
  const { id, destinationSummary } = await team.owner.getResource({ fullname })
  expect(await house.service.store.destinations.readPrivate(id)).toEqual({ chatId: -1009, topicId: 4 })
  expect(destinationSummary).toEqual({ service: 'telegram', title: 'Ops room' })
})

test.each([
  [{}, 'transform.chatId'],
  [{ title: 'Ops room' }, 'transform.chatId'],
  [{ chatId: null }, 'transform.chatId'],
  [{ chatId: {} }, 'transform.chatId'],
  [{ chatId: 'ops-room' }, 'transform.chatId'],
  [{ chatId: 1.5 }, 'transform.chatId'],
  [{ chatId: 'two words' }, 'transform.chatId'],
  [{ chatId: 1, topicId: '7' }, 'transform.topicId'],
  [{ chatId: 1, topicId: -7 }, 'transform.topicId'],
  [{ chatId: 1, title: 5 }, 'transform.title'],
  [{ chatId: 1, kind: ['x'] }, 'transform.kind'],
])('%j is not a chat, and the destination does not change', async (transform, path) => {
  const { fullname, token } = await newChat(`odd-${path.slice(10).toLowerCase()}`)
  await house.nobody.submitExternalResource({ token, body: { transform: { chatId: 1, title: 'Before' } } })
  const submit = house.nobody.submitExternalResource({ token, body: { transform } })
  await rejects(submit, { code: 'invalid_payload', status: 400, details: { issues: [{ path }] } })
  expect(await team.owner.getResource({ fullname })).toMatchObject({
    ready: true,
    destinationSummary: { title: 'Before' },
  })
})

test('the page shows the next step in every state of the setup', async () => {
  const { fullname, token } = await newChat('stages')
  const read = async () => {
    const { blocks } = await house.nobody.getExternalResource({ token })
    expect(blocks.every(({ type }) => type === 'markdown')).toBe(true)
    return blocks.map(({ text }) => text).join('\n')
  }
  expect(await read()).toMatch(/no Telegram destination yet[\s\S]*starts its setup[\s\S]*`\/here`/)
  await house.nobody.submitExternalResource({ token, body: { transform: { chatId: 1, title: 'Ops' } } })
  expect(await read()).toMatch(/nothing left to do/)
  const { id } = await team.owner.getResource({ fullname })
  await house.service.store.resources.switchOff(id, 'The chat is gone', house.clock.now())
  expect(await read()).toMatch(/does not deliver\.\*\* The chat is gone\./)
})

test('null clears the destination', async () => {
  const { fullname, token } = await newChat('cleared')
  await house.nobody.submitExternalResource({ token, body: { transform: { chatId: 1, title: 'Ops' } } })
  await house.nobody.submitExternalResource({ token, body: { transform: null } })
  const view = await team.owner.getResource({ fullname })
  expect(view).toMatchObject({ ready: false, remark: 'Setup is not finished', token })
  expect(view).not.toHaveProperty('destinationSummary')
  expect(await house.service.store.destinations.readPrivate(view.id)).toBeUndefined()
})

test.each([{}, { transform: 'text' }, { transform: 7 }, { transform: [1] }, { transform: true }])(
  '%j is not a setup result',
  async (body) => {
    const { token } = await newChat('malformed')
    const submit = house.nobody.submitExternalResource({ token, body: body as never })
    await rejects(submit, { code: 'invalid_payload', status: 400 })
  },
)

test('an unknown token and a token of another kind are not found', async () => {
  const unknown = `tcn_resource_${'x'.repeat(43)}`
  for (const token of [unknown, 'x', team.owner.token]) {
    await rejects(house.nobody.getExternalResource({ token }), { code: 'not_found', status: 404 })
    const submit = house.nobody.submitExternalResource({ token, body: { transform: {} } })
    await rejects(submit, { code: 'not_found', status: 404 })
  }
})

test('replies are not cached and send no referrer, and the token is not logged', async () => {
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

test('concurrent submissions leave one complete destination', async () => {
  const { fullname, token } = await newChat('crowded')
  const submissions = [1, 2, 3, 4].map((n) =>
    house.nobody.submitExternalResource({ token, body: { transform: { chatId: n, title: `Room ${n}` } } }),
  )
  await Promise.all(submissions)
  const view = await team.owner.getResource({ fullname })
  const kept = await house.service.store.destinations.readPrivate(view.id)
  expect(view.destinationSummary?.title).toBe(`Room ${kept?.chatId}`)
})
