import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BotApi, startBotApi } from './harness/bot-api.ts'
import { until } from './harness/deliveries.ts'
import { dumpTables } from './harness/dump.ts'
import { type Harness, harness, type Person, project, resource, subscription, trigger } from './harness/index.ts'
import { makeUser, type TelegramUser } from './harness/telegram.ts'

/** The setup of a Telegram destination as people do it: through the API, and through the bot. */

let house: Harness
let bot: BotApi
let owner: Person
let ann: TelegramUser
let eve: TelegramUser
const fullname = 'acme.chat'

async function start(variables: Record<string, string> = {}): Promise<void> {
  bot = await startBotApi()
  const telegram = { TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_API_URL: bot.url }
  house = await harness({ ROLE: 'all', ...telegram, ...variables })
  owner = await house.person('owner')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await owner.saveResource({ fullname, body: resource(fullname, { blueprint: 'common.delivery.telegram' }) })
  ;[ann, eve] = [makeUser(bot, 5_010_010_010, 'Ann'), makeUser(bot, 5_020_020_020, 'Eve')]
}
const create = () => owner.createSetupSession({ fullname })
const statusOf = async (id: string) => (await owner.getSetupSession({ fullname, id })).status
const reaches = (id: string, status: string) => until(async () => (await statusOf(id)) === status, status)
const hears = (user: TelegramUser, words: RegExp) =>
  until(() => user.heard().some((text) => words.test(text)), String(words))
const asked = /Where should the alerts go/

/** Opens the link; the bot asks for the chat. */
async function claim(user = ann) {
  const session = await create()
  const before = user.heard().length
  await user.says(`/start ${session.setupToken}`)
  await until(
    () =>
      user
        .heard()
        .slice(before)
        .some((text) => asked.test(text)),
    'the question',
  )
  expect(await statusOf(session.id)).toBe('claimed')
  return session
}
/** Sends an alert to the resource and returns the message that Telegram received. */
async function deliver() {
  await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await owner.saveTrigger({ fullname: 'acme.p.tick', body: trigger('acme.p.tick', { defaults: { title: 'Ticked' } }) })
  await owner.createSubscription({ body: subscription('acme.p.tick', { resources: [fullname] }) })
  const isAlert = ({ text }: { text: string }) => text.includes('Ticked')
  await until(() => {
    house.clock.advance(20_000)
    return bot.messages.some(isAlert)
  }, 'the alert')
  return bot.messages.find(isAlert)
}

afterEach(async () => {
  await house.close()
  bot.close()
})

describe('by long polling', () => {
  beforeEach(() => start())

  test('a private chat is chosen, confirmed, and delivered to', async () => {
    expect(await owner.listBlueprints()).toContainEqual(
      expect.objectContaining({ fullname: 'common.delivery.telegram', bot: { username: 'tocsin_test_bot' } }),
    )
    const { id } = await claim()
    await ann.says('This chat')
    await hears(ann, /^Done\. .* this chat/)
    expect(await statusOf(id)).toBe('completed')
    const view = await owner.getResource({ fullname })
    expect(view).toMatchObject({ ready: true, remark: null })
    expect(view.destinationSummary).toEqual({ service: 'telegram', title: 'Ann', kind: 'private' })
    expect(JSON.stringify(view)).not.toContain('5010010010')
    expect(bot.messages.at(-1)?.fields.reply_markup).toEqual({ remove_keyboard: true })
    expect((await deliver())?.chatId).toBe('5010010010')
  })

  test('a group is chosen from the list once the bot is in it and may write', async () => {
    const { id } = await claim()
    const group = bot.telegram.addChat({ id: -77, type: 'group', title: 'Ops \u202eroom' })
    ann.meets(group)
    group.members.delete(bot.telegram.self.id)
    await ann.picks('A group', group)
    await hears(ann, /cannot see that chat/)
    group.members.set(bot.telegram.self.id, { status: 'left' })
    await ann.picks('A group', group)
    await hears(ann, /not a member/)
    group.members.set(bot.telegram.self.id, { status: 'member' })
    group.permissions = { can_send_messages: false }
    await ann.picks('A group', group)
    await hears(ann, /not allowed to write/)
    expect(await statusOf(id)).toBe('claimed')
    expect(await owner.getResource({ fullname })).toMatchObject({ ready: false, remark: 'Setup is not finished' })
    group.permissions = { can_send_messages: true }
    await ann.picks('A group', group)
    await hears(ann, /Done\. .*“Ops room”/)
    expect((await owner.getResource({ fullname })).destinationSummary).toEqual({
      service: 'telegram',
      title: 'Ops room',
      kind: 'group',
    })
    expect(await statusOf(id)).toBe('completed')
  })

  test('a channel needs the right to post, for the bot and for the user who chooses it', async () => {
    const { id } = await claim()
    const channel = bot.telegram.addChat(
      { id: -1001, type: 'channel', title: 'News' },
      { status: 'administrator', can_post_messages: false },
    )
    ann.meets(channel, 'administrator')
    await ann.picks('A channel', channel)
    await hears(ann, /not allowed to post to that channel/)
    channel.members.set(bot.telegram.self.id, { status: 'administrator', can_post_messages: true })
    const memberships = () => ann.heard().filter((text) => /You are not a member/.test(text)).length
    bot.refuse = ({ method, fields }) =>
      method === 'getChatMember' && String(fields.user_id) === String(ann.id)
        ? { status: 400, description: 'Bad Request: member list is inaccessible' }
        : undefined
    await ann.picks('A channel', channel)
    await until(() => memberships() === 1)
    bot.refuse = () => undefined
    ann.meets(channel, 'member')
    await ann.picks('A channel', channel)
    await until(() => memberships() === 2)
    expect(await statusOf(id)).toBe('claimed')
    ann.meets(channel, 'creator')
    await ann.picks('A channel', channel)
    await hears(ann, /Done\. .*“News”/)
    const { destinationSummary } = await owner.getResource({ fullname })
    expect(destinationSummary).toEqual({ service: 'telegram', title: 'News', kind: 'channel' })
  })

  test('a topic is chosen from inside it, and alerts go into it', async () => {
    await claim()
    const forum = bot.telegram.addChat({ id: -1002, type: 'supergroup', title: 'Forum', is_forum: true })
    ann.meets(forum)
    await ann.saysIn(forum, '/here@tocsin_test_bot', { id: 42, name: 'Alerts' })
    await hears(ann, /the topic “Alerts” of “Forum”/)
    expect(bot.messages.find(({ chatId }) => chatId === '-1002')?.fields).toMatchObject({ message_thread_id: 42 })
    const { destinationSummary } = await owner.getResource({ fullname })
    expect(destinationSummary).toEqual({ service: 'telegram', title: 'Forum', kind: 'supergroup', topic: 'Alerts' })
    expect((await deliver())?.fields).toMatchObject({ chat_id: -1002, message_thread_id: 42 })
  })

  test('a link that is opened inside a group chooses that group', async () => {
    const group = bot.telegram.addChat({ id: -78, type: 'group', title: 'Direct' })
    ann.meets(group)
    const { id, setupToken } = await create()
    await ann.saysIn(group, `/start@tocsin_test_bot ${setupToken}`)
    await reaches(id, 'completed')
    await hears(ann, /“Direct”/)
  })

  test('a used token is refused to other users, and its own user can continue', async () => {
    const { id, setupToken } = await claim()
    await eve.says(`/start ${setupToken}`)
    await hears(eve, /used already/)
    await ann.says(`/start ${setupToken}`)
    await hears(ann, /used already, by you/)
    expect(await statusOf(id)).toBe('claimed')
    await ann.says('This chat')
    await reaches(id, 'completed')
    await ann.says(`/start ${setupToken}`)
    await hears(ann, /This setup is finished/)
    const { destinationSummary } = await owner.getResource({ fullname })
    expect(destinationSummary?.title).toBe('Ann')
  })

  test('only the user who claimed a session completes it, and strangers get no reply', async () => {
    const { id } = await claim()
    const group = bot.telegram.addChat({ id: -79, type: 'group', title: 'Eve’s' })
    eve.meets(group)
    await eve.says('This chat')
    await eve.says('hello?')
    await eve.says('/start')
    await eve.saysIn(group, '/here')
    const key = bot.messages.findLast(({ fields }) => fields.reply_markup)
    const request = JSON.stringify(key?.fields).match(/"request_id":(\d+)/)?.[1]
    await bot.telegram.happens({
      message: {
        chat: { id: eve.id, type: 'private' },
        from: { id: eve.id, is_bot: false, first_name: 'Eve' },
        chat_shared: { request_id: Number(request), chat_id: -79 },
      },
    })
    await eve.says('/start tcn_setup_nonsense')
    await hears(eve, /do not know this setup link/)
    expect(eve.heard()).toHaveLength(1)
    expect(bot.messages.filter(({ chatId }) => chatId === '-79')).toEqual([])
    expect(await statusOf(id)).toBe('claimed')
  })

  test('the chat says that a session is cancelled, superseded or expired, and the former destination stays', async () => {
    await claim()
    await ann.says('This chat')
    await hears(ann, /^Done/)
    const group = bot.telegram.addChat({ id: -80, type: 'group', title: 'Elsewhere' })
    ann.meets(group)

    const superseded = await claim()
    const newer = await create()
    await ann.picks('A group', group)
    await hears(ann, /newer setup/)
    expect(await statusOf(superseded.id)).toBe('superseded')

    await owner.cancelSetupSession({ fullname, id: newer.id })
    await ann.says(`/start ${newer.setupToken}`)
    await hears(ann, /cancelled/)

    const late = await claim()
    house.clock.advance(15 * 60_000)
    await ann.picks('A group', group)
    await hears(ann, /expired/)
    expect(await statusOf(late.id)).toBe('expired')
    const view = await owner.getResource({ fullname })
    expect(view).toMatchObject({ ready: true, destinationSummary: { title: 'Ann' } })
  })

  test('a blocked bot makes the resource not ready with a remark, and ready again after it is unblocked', async () => {
    await claim()
    await ann.says('This chat')
    await hears(ann, /^Done/)
    const chat = { id: ann.id, type: 'private', first_name: 'Ann' }
    const becomes = (status: string) =>
      bot.telegram.happens({ my_chat_member: { chat, from: { id: ann.id }, new_chat_member: { status } } })
    const isReady = async () => (await owner.getResource({ fullname })).ready
    await becomes('kicked')
    await until(async () => !(await isReady()))
    expect((await owner.getResource({ fullname })).remark).toMatch(/bot was removed/)
    const { token = '' } = await owner.getResource({ fullname })
    const { blocks } = await house.nobody.getExternalResource({ token })
    expect(blocks.map(({ text }) => text).join('\n')).toMatch(
      /does not deliver.*bot was removed[\s\S]*t\.me\/tocsin_test_bot/,
    )
    await becomes('member')
    await until(isReady)
    expect((await owner.getResource({ fullname })).remark).toBeNull()
  })

  test('resources follow a group that becomes a supergroup', async () => {
    const { id } = await claim()
    const group = bot.telegram.addChat({ id: -90, type: 'group', title: 'Small' })
    ann.meets(group)
    await ann.picks('A group', group)
    await reaches(id, 'completed')
    await bot.telegram.happens({ message: { chat: { id: -90, type: 'group' }, migrate_to_chat_id: -10090 } })
    const view = () => owner.getResource({ fullname })
    await until(async () => (await view()).destinationSummary?.kind === 'supergroup')
    const kicked = (chat: { id: number; type: string }) =>
      bot.telegram.happens({ my_chat_member: { chat, from: { id: ann.id }, new_chat_member: { status: 'kicked' } } })
    await kicked({ id: -90, type: 'group' })
    await kicked({ id: -10090, type: 'supergroup' })
    await until(async () => !(await view()).ready)
    expect(await view()).toMatchObject({ destinationSummary: { title: 'Small', kind: 'supergroup' } })
    await bot.telegram.happens({
      my_chat_member: {
        chat: { id: -10090, type: 'supergroup' },
        from: { id: ann.id },
        new_chat_member: { status: 'member' },
      },
    })
    await until(async () => (await view()).ready)
  })

  test('the bot waits for flood limits and retries when Telegram fails', async () => {
    const { id, setupToken } = await create()
    const refused = [
      { status: 429, description: 'Too Many Requests', parameters: { retry_after: 0.2 } },
      { status: 502, description: 'Bad Gateway' },
    ]
    bot.refuse = ({ method }) => (method === 'sendMessage' ? refused.shift() : undefined)
    await ann.says(`/start ${setupToken}`)
    await hears(ann, asked)
    expect(refused).toEqual([])
    expect(await statusOf(id)).toBe('claimed')
  })

  test('a restart continues where it stopped, and no update is handled twice', async () => {
    const { setupToken } = await claim()
    const heard = ann.heard().length
    await house.restart()
    await ann.says('This chat')
    await hears(ann, /^Done/)
    await until(() => bot.calls.some(({ fields }) => fields.offset === 1002))
    expect(await house.service.store.setupSessions.findByToken(setupToken)).toMatchObject({ status: 'completed' })
    expect(ann.heard()).toHaveLength(heard + 1)
    expect([...bot.telegram.handedOut.values()]).toEqual([1, 1])
  })

  test('a choice concurrent with a new session ends in exactly one of the two', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await claim()
      const before = ann.heard().length
      await Promise.all([ann.says('This chat'), create()])
      await until(() => ann.heard().length > before, 'an answer')
      const isDone = /^Done/.test(ann.heard()[before] ?? '')
      expect(ann.heard()[before]).toMatch(/^Done|newer setup/)
      expect(await statusOf(id)).toBe(isDone ? 'completed' : 'superseded')
    }
  })

  test('the token is in no table, no job and no log line', async () => {
    const { setupToken } = await claim()
    await ann.says('This chat')
    await hears(ann, /^Done/)
    const secrets = [setupToken, setupToken.slice(10), bot.token]
    const rows = await dumpTables(house.databaseUrl, ['public', 'pgboss'])
    for (const secret of secrets) {
      expect(rows).not.toContain(secret)
      expect(rows).not.toContain(Buffer.from(secret).toString('hex'))
      expect(house.logs.join('\n')).not.toContain(secret)
      expect(ann.heard().join('\n')).not.toContain(secret)
    }
    expect(rows).not.toMatch(/chatId|"5010010010"/)
  })
})

describe('by webhook', () => {
  beforeEach(async () => {
    await start({ TELEGRAM_WEBHOOK: 'on', PUBLIC_URL: 'https://tocsin.example' })
    await until(() => bot.telegram.webhook !== undefined, 'the webhook')
  })

  /** The public address at which Telegram reaches the service. */
  function connect() {
    const { webhook } = bot.telegram
    expect(webhook).toMatchObject({ url: 'https://tocsin.example/api/telegram/webhook' })
    expect(webhook?.secret_token).toMatch(/^[\w-]{43}$/)
    bot.telegram.webhook = { ...webhook, url: `${house.url}/api/telegram/webhook` }
  }

  test('a whole setup works by webhook, without polling', async () => {
    connect()
    const { id } = await claim()
    expect(await ann.says('This chat')).toBe(200)
    expect(await statusOf(id)).toBe('completed')
    expect(bot.calls.filter(({ method }) => method === 'getUpdates')).toEqual([])
  })

  test('an update without the secret is refused', async () => {
    connect()
    const { id, setupToken } = await create()
    const secret = bot.telegram.webhook?.secret_token ?? ''
    const { url } = bot.telegram.webhook ?? { url: '' }
    for (const wrong of ['', 'x', secret.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))]) {
      bot.telegram.webhook = { url, secret_token: wrong }
      expect(await ann.says(`/start ${setupToken}`)).toBe(401)
    }
    expect(
      (await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(401)
    expect(await statusOf(id)).toBe('pending')
    expect(house.logs.join('\n')).not.toContain(secret)
    expect(await dumpTables(house.databaseUrl)).not.toContain(secret)
  })

  test('a body that is not an update is accepted and changes nothing', async () => {
    connect()
    for (const odd of [{ message: { chat: 7 } }, { message: null }, { my_chat_member: { chat: {} } }, { poll: {} }])
      expect(await bot.telegram.happens(odd)).toBe(200)
  })
})

test('without a webhook the path is 404, and with secure setup off the bot does not poll', async () => {
  await start({ SECURE_SETUP: 'off' })
  const answer = await fetch(`${house.url}/api/telegram/webhook`, { method: 'POST' })
  expect(answer.status).toBe(404)
  expect(bot.calls.filter(({ method }) => method === 'getUpdates')).toEqual([])
  expect((await owner.listBlueprints()).some((blueprint) => 'bot' in blueprint)).toBe(false)
})

test('a webhook that was set earlier is deleted before polling', async () => {
  await start()
  await claim()
  bot.telegram.webhook = { url: 'http://127.0.0.1:9/old' }
  await house.restart()
  await until(() => bot.telegram.webhook === undefined, 'no webhook')
  await ann.says('This chat')
  await hears(ann, /^Done/)
})
