import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { type BotApi, startBotApi } from '../../harness/bot-api.ts'
import { type Person, resource } from '../../harness/index.ts'
import { makeUser, type TelegramUser } from '../../harness/telegram.ts'

const fullname = 'acme.chat'
const minuteMs = 60_000

let site: Site
let bot: BotApi
let owner: Person
let ann: TelegramUser
beforeAll(async () => {
  bot = await startBotApi()
  site = await openSite({ TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_API_URL: bot.url })
  owner = await site.house.person('owner')
  ann = makeUser(bot, 501, 'Ann')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  const blueprint = 'common.delivery.telegram'
  await owner.saveResource({ fullname, body: resource(fullname, { blueprint, meta: { title: 'On-call chat' } }) })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  bot?.close()
})

async function openChat(): Promise<Page> {
  const page = await site.visit({ as: owner })
  await page.goto(`/w/acme/resources/${fullname}`)
  return page
}

test('the page shows each step while a chat is connected', { timeout: journeyMs }, async () => {
  const page = await openChat()
  await page.getByText('Setup is not finished').waitFor()
  await page.getByRole('button', { name: 'Connect Telegram' }).click()
  await page.getByText('Waiting for you to open Telegram').waitFor()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  await checkLooks(page, 'telegram-pending')

  const link = await page.getByRole('link', { name: /^Open @tocsin_test_bot/ }).getAttribute('href')
  await ann.says(`/start ${new URL(link ?? '').searchParams.get('start')}`)
  await page.getByText('Opened. Choose the chat in Telegram').waitFor()
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0)
  await checkLooks(page, 'telegram-claimed')

  await ann.says('This chat')
  await page.getByText('Telegram is connected').waitFor()
  const state = page.getByRole('region', { name: 'Status' })
  await state.getByText('Ann').waitFor()
  await state.getByText('Ready', { exact: true }).waitFor()
  await checkLooks(page, 'telegram-completed')
})

test('a setup that failed shows the reason and can be started again', { timeout: journeyMs }, async () => {
  const page = await openChat()
  await page.getByRole('button', { name: /^(Choose another chat|Connect Telegram)$/ }).click()
  await page.getByRole('button', { name: 'Cancel setup' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await checkLooks(page, 'telegram-cancelled')

  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByText('Waiting for you to open Telegram').waitFor()
  await owner.createSetupSession({ fullname })
  await page.getByText('Replaced by a newer setup').waitFor()
  await checkLooks(page, 'telegram-superseded')

  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByText('Waiting for you to open Telegram').waitFor()
  site.house.clock.advance(16 * minuteMs)
  await page.getByText('Expired after 15 minutes').waitFor()
  await checkLooks(page, 'telegram-expired')
})
