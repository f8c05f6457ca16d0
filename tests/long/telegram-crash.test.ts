import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BotApi, startBotApi } from '../harness/bot-api.ts'
import { until } from '../harness/deliveries.ts'
import { type Harness, harness, type Person, resource } from '../harness/index.ts'
import { killHard, type Running, startProcess } from '../harness/process.ts'
import { makeUser, type TelegramUser } from '../harness/telegram.ts'

/** The bot runs in processes that are killed; the API in this process shows the state of the sessions. */

const fullname = 'acme.chat'
const key = randomBytes(32).toString('hex')
let house: Harness
let bot: BotApi
let owner: Person
let ann: TelegramUser
let folder: string
const running: Running[] = []

beforeEach(async () => {
  bot = await startBotApi()
  house = await harness({ SECURE_SETUP: 'on', SECRET_KEY: key })
  owner = await house.person('owner')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await owner.saveResource({ fullname, body: resource(fullname, { blueprint: 'common.delivery.telegram' }) })
  ann = makeUser(bot, 501, 'Ann')
  folder = mkdtempSync(join(tmpdir(), 'tocsin-data-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(killHard))
  await house.close()
  bot.close()
  rmSync(folder, { recursive: true, force: true })
})

async function startBot(): Promise<Running> {
  const telegram = { TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_API_URL: bot.url }
  const one = await startProcess(folder, { DATABASE_URL: house.databaseUrl, SECRET_KEY: key, ...telegram })
  running.push(one)
  return one
}
const statusOf = async (id: string) => (await owner.getSetupSession({ fullname, id })).status
const hears = (words: RegExp) => until(() => ann.heard().some((text) => words.test(text)), String(words))

/** Kills the process at its next message to Ann: the change is stored, but Ann gets no message. */
function killAtNextMessage(victim: Running): Promise<void> {
  return new Promise((killed) => {
    bot.refuse = ({ method }) => {
      if (method !== 'sendMessage') return undefined
      bot.refuse = () => undefined
      void killHard(victim).then(killed)
      return { status: 500, description: 'nobody reads this' }
    }
  })
}

test('killed after a claim and after a completion, another process continues and sends the message', {
  timeout: 120_000,
}, async () => {
  const { id, setupToken } = await owner.createSetupSession({ fullname })
  const first = await startBot()
  const claimed = killAtNextMessage(first)
  await ann.says(`/start ${setupToken}`)
  await claimed
  expect(await statusOf(id)).toBe('claimed')
  expect(ann.heard()).toEqual([])

  const second = await startBot()
  await hears(/still open[\s\S]*Where should the alerts go/)
  const completed = killAtNextMessage(second)
  await ann.says('This chat')
  await completed
  expect(await statusOf(id)).toBe('completed')

  await startBot()
  await hears(/This setup is finished/)
  const { destinationSummary } = await owner.getResource({ fullname })
  expect(destinationSummary).toMatchObject({ title: 'Ann', kind: 'private' })
})

test('of two processes one polls, and when it dies the other does', { timeout: 120_000 }, async () => {
  const asking = await startBot()
  await until(() => bot.calls.some(({ method }) => method === 'getUpdates'), 'the first to ask')
  const standingBy = await startBot()
  const { setupToken } = await owner.createSetupSession({ fullname })
  await ann.says(`/start ${setupToken}`)
  await hears(/Where should the alerts go/)
  for (let n = 0; n < 5; n++) await ann.says(`hello ${n}`)
  await until(() => ann.heard().length === 6, 'an answer to each')
  expect(bot.telegram.conflicts).toBe(0)
  expect([...bot.telegram.handedOut.values()]).toEqual([1, 1, 1, 1, 1, 1])
  await killHard(asking)
  await ann.says('This chat')
  await hears(/^Done/)
  expect(standingBy.child.exitCode).toBeNull()
})
