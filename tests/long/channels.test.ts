import type { Message } from '@tocsin/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BotApi, readHtml, startBotApi } from '../harness/bot-api.ts'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from '../harness/deliveries.ts'
import { type Mailbox, startMailbox } from '../harness/mailbox.ts'

/** Every channel against a receiver that applies the channel's own rules. */

let bench: DeliveryBench
let receiver: Receiver
let bot: BotApi
let mail: Mailbox
beforeEach(async () => {
  ;[receiver, bot, mail] = await Promise.all([startReceiver(), startBotApi(), startMailbox()])
  bench = await deliveryBench({
    telegram: { token: bot.token },
    serviceUrls: { TELEGRAM_API_URL: bot.url },
    smtp: { smtpUrl: mail.url, from: 'Tocsin <alerts@tocsin.example>' },
  })
})
afterEach(async () => {
  await bench.close()
  receiver.close()
  bot.close()
  await mail.close()
})

const settledAs = (id: string, status: string) =>
  until(async () => (await bench.statusOf(id)) === status, `${id} ${status}`, bench.describeDeliveries)
const delivered = (id: string) => settledAs(id, 'delivered')
const full: Partial<Message> = {
  title: 'Transfer of 5 USDC',
  long: 'From <a> & to "b"\nSee https://example.org/tx_1_a',
  cover: 'https://example.org/cover.png',
  icon: 'https://example.org/icon.png',
  links: [
    { title: 'Open', url: 'https://example.org/tx(1)' },
    { title: 'Bad', url: 'javascript:alert(1)' },
  ],
}

describe('discord', () => {
  beforeEach(() => bench.resource('discord', { url: `${receiver.url}?thread_id=9` }, 'common.delivery.discord'))
  const embedOf = (index = 0) => JSON.parse(receiver.received[index]?.body ?? '{}').embeds[0]

  test('an alert is an embed without mentions, and its retraction edits it', async () => {
    receiver.answer = () => ({ status: 200, body: JSON.stringify({ id: 'm77' }) })
    await bench.alert('al_1', ['discord'], full, { columns: { severity: 'warning' } })
    await bench.start()
    await delivered('al_1')
    expect(receiver.received[0]?.path).toBe('/hook?thread_id=9&wait=true')
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ allowed_mentions: { parse: [] } })
    expect(embedOf()).toMatchObject({
      title: 'Warning: Transfer of 5 USDC',
      color: 0xf08c00,
      description: 'From \\<a\\> & to "b"\nSee https://example.org/tx_1_a',
      url: 'https://example.org/tx(1)',
      image: { url: 'https://example.org/cover.png' },
      thumbnail: { url: 'https://example.org/icon.png' },
      fields: [{ value: '[Open](https://example.org/tx%281%29)' }],
    })
    expect(await bench.deliveries('al_1')).toMatchObject([{ sent: { messageId: 'm77' } }])
    await retract('al_1', 'discord')
    expect(receiver.received[1]?.path).toBe('/hook/messages/m77?thread_id=9')
    expect(embedOf(1)).toMatchObject({ title: 'Retracted: Transfer of 5 USDC' })
  })

  test('a deleted webhook switches the resource off, a refused message is given up, and a rate limit is waited for', async () => {
    const answers = [{ status: 429, body: JSON.stringify({ retry_after: 0.75 }) }, { status: 400 }, { status: 404 }]
    receiver.answer = () => answers.shift() ?? { status: 200 }
    await bench.alert('al_1', ['discord'])
    await bench.start()
    await until(async () => (await bench.query('select 1 from lanes where not_before is not null')).length === 1)
    const [row] = await bench.deliveries('al_1')
    expect(row?.due_at.getTime()).toBe(bench.clock.now().getTime() + 750)
    expect(row?.attempts).toEqual([])
    bench.clock.advance(750)
    await settledAs('al_1', 'failed')
    await bench.alert('al_2', ['discord'])
    await settledAs('al_2', 'failed')
    expect(await bench.query('select ready, remark from resources')).toMatchObject([{ ready: false }])
  })
})

/** A firing alert that arrived, and the alert that resolves it. */
async function fireAndResolve(resource: string): Promise<void> {
  const columns = { state: 'firing', severity: 'critical' }
  await bench.alert('al_1', [resource], { title: 'Balance 9' }, { columns })
  await bench.start()
  await delivered('al_1')
  bench.clock.advance(1_000)
  const resolved = { state: 'resolved', resolves: 'al_1', duration_ms: '90000', severity: 'critical' }
  await bench.alert('al_2', [resource], { title: 'Balance 11' }, { columns: resolved })
  await delivered('al_2')
}

test('a webhook gets alert.resolved with the id of the firing alert', async () => {
  await bench.resource('hook', { url: receiver.url })
  await fireAndResolve('hook')
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'alert', id: 'al_1', data: { state: 'firing', severity: 'critical', resolves: null, durationMs: null } },
    { type: 'alert.resolved', id: 'al_2', data: { state: 'resolved', resolves: 'al_1', durationMs: 90_000 } },
  ])
})

test('a resolved alert edits the message of the firing one on Discord, or is a new message if that is gone', async () => {
  await bench.resource('discord', { url: receiver.url }, 'common.delivery.discord')
  receiver.answer = () => ({ status: 200, body: JSON.stringify({ id: 'm77' }) })
  await fireAndResolve('discord')
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?wait=true', '/hook/messages/m77'])
  const titles = () => receiver.received.map(({ body }) => JSON.parse(body).embeds[0].title)
  expect(titles()).toEqual(['Critical: Balance 9', 'Resolved: Balance 11'])
  receiver.answer = ({ path }) => ({ status: path?.includes('/messages/') ? 404 : 200, body: '{"id":"m78"}' })
  await bench.alert('al_3', ['discord'], { title: 'Again' }, { columns: { state: 'resolved', resolves: 'al_1' } })
  await delivered('al_3')
  expect(titles().slice(2)).toEqual(['Resolved: Again', 'Resolved: Again'])
})

test('a resolved alert replies to the firing one on Telegram and by e-mail', async () => {
  await bench.resource('telegram', {}, 'common.delivery.telegram', { chatId: -1001 })
  await fireAndResolve('telegram')
  expect(bot.messages).toMatchObject([
    { text: expect.stringContaining('Critical: Balance 9') },
    { text: expect.stringContaining('Resolved: Balance 11'), fields: { reply_parameters: { message_id: 1 } } },
  ])
  await bench.resource('email', { to: 'ann@example.org' }, 'common.delivery.email')
  await bench.alert('al_4', ['email'], {}, { columns: { state: 'resolved', resolves: 'al_1' } })
  await delivered('al_4')
  expect(mail.received[0]?.headers).toMatchObject({
    subject: 'Resolved: Moved',
    'in-reply-to': '<al_1@tocsin.example>',
  })
})

describe('slack', () => {
  beforeEach(() => bench.resource('slack', { url: receiver.url }, 'common.delivery.slack'))

  test('an alert consists of blocks of plain text, and its retraction is a separate message', async () => {
    receiver.answer = () => ({ status: 200, body: 'ok' })
    await bench.alert('al_1', ['slack'], full)
    await bench.start()
    await delivered('al_1')
    const body = JSON.parse(receiver.received[0]?.body ?? '')
    expect(body.blocks).toMatchObject([
      { type: 'header', text: { type: 'plain_text', text: 'Transfer of 5 USDC' } },
      { type: 'section', text: { type: 'plain_text', text: expect.stringContaining('From &lt;a&gt; &amp; to') } },
      { type: 'image', image_url: 'https://example.org/cover.png' },
      { type: 'section', text: { type: 'mrkdwn', text: '<https://example.org/tx(1)|Open>' } },
      { type: 'context' },
    ])
    bench.clock.advance(1_000)
    await retract('al_1', 'slack')
    expect(JSON.parse(receiver.received[1]?.body ?? '').text).toBe(
      'Retracted: Transfer of 5 USDC\nRetracted: Block 7 was replaced.',
    )
  })

  test('one message a second goes to one webhook, in order', async () => {
    receiver.answer = () => ({ status: 200, body: 'ok' })
    for (const [index, id] of ['al_1', 'al_2', 'al_3'].entries())
      await bench.alert(id, ['slack'], { title: `Number ${index}` })
    await bench.start()
    await delivered('al_1')
    expect(receiver.received).toHaveLength(1)
    bench.clock.advance(1_000)
    await delivered('al_2')
    expect(receiver.received).toHaveLength(2)
    bench.clock.advance(1_000)
    await delivered('al_3')
    const titles = receiver.received.map(({ body }) => JSON.parse(body).blocks[0].text.text)
    expect(titles).toEqual(['Number 0', 'Number 1', 'Number 2'])
  })

  test('a message that must wait delays the next ones, so that the order is kept', async () => {
    let isDown = true
    receiver.answer = () => ({ status: isDown ? 500 : 200 })
    await bench.alert('al_1', ['slack'], { title: 'First' })
    await bench.alert('al_2', ['slack'], { title: 'Second' })
    const { store } = await bench.start()
    await until(async () => (await bench.query('select 1 from lanes where not_before is not null')).length === 1)
    await store.jobs.add('deliver', [{ data: { resourceIds: ['slack'] } }])
    isDown = false
    bench.clock.advance(5_000)
    await delivered('al_1')
    bench.clock.advance(1_000)
    await delivered('al_2')
    expect(receiver.received.map(({ body }) => JSON.parse(body).blocks[0].text.text)).toEqual([
      'First',
      'First',
      'Second',
    ])
  })
})

describe('telegram', () => {
  const chat = { chatId: -1001, topicId: 4 }
  beforeEach(() => bench.resource('telegram', {}, 'common.delivery.telegram', chat))

  test('an alert is a message with buttons, a cover makes it a photo, and retractions edit both', async () => {
    await bench.alert('al_1', ['telegram'], { ...full, cover: undefined })
    await bench.start()
    await delivered('al_1')
    bench.clock.advance(1_000)
    await bench.alert('al_2', ['telegram'], full)
    await delivered('al_2')
    expect(bot.messages).toMatchObject([
      {
        chatId: '-1001',
        isPhoto: false,
        fields: {
          message_thread_id: 4,
          reply_markup: { inline_keyboard: [[{ text: 'Open', url: 'https://example.org/tx(1)' }]] },
        },
      },
      { isPhoto: true, fields: { photo: 'https://example.org/cover.png' } },
    ])
    expect(readHtml(bot.messages[0]?.text ?? '')).toBe(
      'Transfer of 5 USDC\n\nFrom <a> & to "b"\nSee https://example.org/tx_1_a',
    )
    // The chat id is a secret of the setup; the unencrypted reference names only the message.
    expect((await bench.deliveries('al_1'))[0]?.sent).toEqual({ messageId: 1, isPhoto: false })
    bench.clock.advance(1_000)
    await retract('al_1', 'telegram')
    bench.clock.advance(1_000)
    await retract('al_2', 'telegram')
    expect(bot.calls.map(({ method }) => method)).toEqual([
      'sendMessage',
      'sendPhoto',
      'editMessageText',
      'editMessageCaption',
    ])
    expect(readHtml(bot.messages[0]?.text ?? '')).toContain('Retracted: Block 7 was replaced.')
  })

  test('a message is sent without its picture if Telegram cannot load it', async () => {
    bot.refuse = ({ method }) =>
      method === 'sendPhoto' ? { status: 400, description: 'Bad Request: failed to get HTTP URL content' } : undefined
    await bench.alert('al_1', ['telegram'], full)
    await bench.start()
    await delivered('al_1')
    expect(bot.messages).toMatchObject([{ isPhoto: false, text: expect.stringContaining('Open: https://example.org') }])
  })

  test('flood limits are waited for and do not count as attempts', async () => {
    bot.refuse = () => ({ status: 429, description: 'Too Many Requests', parameters: { retry_after: 7 } })
    await bench.alert('al_1', ['telegram'])
    await bench.start()
    await until(async () => (await bench.query('select 1 from lanes where not_before is not null')).length === 1)
    expect(await bench.deliveries('al_1')).toMatchObject([
      { status: 'pending', attempts: [], due_at: new Date(bench.clock.now().getTime() + 7_000) },
    ])
    bot.refuse = () => undefined
    bench.clock.advance(7_000)
    await delivered('al_1')
  })

  test.each([
    [403, 'Forbidden: bot was blocked by the user'],
    [403, 'Forbidden: bot was kicked from the supergroup chat'],
    [400, 'Bad Request: chat not found'],
    [400, 'Bad Request: TOPIC_CLOSED'],
  ])('a chat that answers %i %s makes the resource not ready, with a remark', async (status, description) => {
    bot.refuse = () => ({ status, description })
    await bench.alert('al_1', ['telegram'])
    await bench.start()
    await settledAs('al_1', 'failed')
    expect(await bench.query('select ready, remark from resources')).toEqual([
      { ready: false, remark: `Switched off: Telegram answered ${status}: ${description}` },
    ])
  })

  test('messages go to the new id of a group that became a supergroup', async () => {
    bot.refuse = ({ fields }) =>
      fields.chat_id === -1001
        ? {
            status: 400,
            description: 'Bad Request: group chat was upgraded to a supergroup chat',
            parameters: { migrate_to_chat_id: -100777 },
          }
        : undefined
    await bench.alert('al_1', ['telegram'])
    await bench.start()
    await delivered('al_1')
    expect(bot.messages).toMatchObject([{ chatId: '-100777' }])
  })

  test('the bot’s token is in no attempt, remark or log', async () => {
    bot.close()
    await bench.alert('al_1', ['telegram'])
    const { stop } = await bench.start()
    await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
    await stop()
    const rows = await bench.query('select d.attempts, l.message from deliveries d, trigger_logs l')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('secret-of-the-bot')
    expect(JSON.stringify(rows)).toContain('refused the connection')
  })
})

describe('e-mail', () => {
  beforeEach(() => bench.resource('email', { to: 'ann@example.org' }, 'common.delivery.email'))

  test('an alert is text and HTML with one-click unsubscribe, and its retraction is a reply to it', async () => {
    await bench.alert('al_1', ['email'], full)
    await bench.start()
    await delivered('al_1')
    const [first] = mail.received
    expect(first).toMatchObject({ from: 'alerts@tocsin.example', to: ['ann@example.org'] })
    expect(first?.headers).toMatchObject({
      subject: 'Transfer of 5 USDC',
      'message-id': '<al_1@tocsin.example>',
      'list-unsubscribe': '<https://tocsin.example/api/unsubscribe/s.signed>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    })
    expect(first?.text).toContain('From <a> & to "b"')
    expect(first?.html).toContain('From &lt;a&gt; &amp; to &quot;b&quot;')
    expect(first?.html).not.toContain('javascript:')
    await retract('al_1', 'email')
    expect(mail.received[1]?.headers).toMatchObject({
      subject: 'Retracted: Transfer of 5 USDC',
      'in-reply-to': '<al_1@tocsin.example>',
    })
  })

  test('at most ten mails per minute go to one address, and the rest wait', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `al_${index}`)
    await rememberManyResources()
    await bench.alerts(ids, ['email'])
    await bench.start()
    for (const id of ids.slice(0, 10)) await delivered(id)
    expect(mail.received).toHaveLength(10)
    bench.clock.advance(6_000)
    await delivered('al_10')
    expect(mail.received).toHaveLength(11)
  })

  test.each([
    [451, '4.3.0 Try again', 'pending', true],
    [550, '5.1.1 No such user', 'failed', false],
    [554, '5.7.1 Refused as spam', 'failed', true],
  ])('a server that answers %i %s leaves the alert %s', async (code, text, status, ready) => {
    mail.refuse = () => Object.assign(new Error(text), { responseCode: code })
    await bench.alert('al_1', ['email'])
    await bench.start()
    await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
    expect(await bench.statusOf('al_1')).toBe(status)
    expect(await bench.query('select ready from resources')).toEqual([{ ready }])
  })
})

/** The store was used before, and PostgreSQL still plans for a thousand resources. */
async function rememberManyResources(): Promise<void> {
  await bench.query(
    `insert into resources select (json_populate_record(r, json_build_object('id', n, 'name', n, 'fullname', n))).*
     from resources r, generate_series(1, 1000) n`,
  )
  await bench.query('analyze resources')
  await bench.query("delete from resources where name <> 'email'")
}

async function retract(alertId: string, resource: string): Promise<void> {
  await bench.query("update alerts set status = 'retracted', reason = 'Block 7 was replaced.' where id = $1", [alertId])
  await bench.query(
    `insert into deliveries (id, alert_id, kind, resource_id, resource, blueprint, status, due_at, created_at, updated_at)
     select id || '_r', alert_id, 'retraction', resource_id, resource, blueprint, 'pending', $2, $2, $2
     from deliveries where alert_id = $1 and resource_id = $3`,
    [alertId, bench.clock.now(), resource],
  )
  await until(
    async () => (await bench.deliveries(alertId)).every(({ status }) => status === 'delivered'),
    'the retraction',
    bench.describeDeliveries,
  )
}
