import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { project, trigger } from '../harness/index.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
}, openingMs)
afterEach(() => site.leave())
afterAll(() => site?.close())

test(
  'a new user gets a live alert by the first steps alone',
  async () => {
    const page = await site.visit()
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('E-mail').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
    const workspace = page.getByRole('button', { name: /^Workspace: / }).getByText('Personal workspace')
    expect(
      await workspace.evaluate(
        (name) => name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight,
      ),
    ).toBe(true)
    for (const step of ['Create project', 'Create timer', 'Continue without destination', 'Subscribe to the timer'])
      await page.getByRole('button', { name: step }).click()
    await page.getByText('Your first alert has arrived').waitFor()

    await page.getByRole('link', { name: 'Show trace' }).click()
    await page.waitForURL(/\/w\/ann\/alerts\/[^/]+$/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.title()).toMatch(/· Tocsin$/)
  },
  journeyMs,
)

test(
  'the timer of the first steps does not overwrite a trigger or a draft of its name',
  async () => {
    const bob = await site.house.person('bob')
    await bob.saveWorkspace({ fullname: 'shop', body: { fullname: 'shop' } })
    await bob.saveProject({ fullname: 'shop.p', body: project('shop.p') })
    const triggerSpec = { type: 'evm_log' as const, dataSource: 'common.nowhere', event: 'Ping()' }
    await bob.saveTrigger({ fullname: 'shop.p.timer', body: trigger('shop.p.timer', { triggerSpec }) })
    const drafted = { fullname: 'shop.p.timer-2', body: trigger('shop.p.timer-2', { meta: { title: 'Drafted' } }) }
    await bob.saveTriggerDraft(drafted)
    const page = await site.visit({ as: bob, allows: /412/ })
    await page.goto('/w/shop/projects')
    // The page of the workspace, not its loading state: only then is it the current workspace.
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await page.goto('/first-steps')
    await page.getByRole('button', { name: 'Create timer' }).click()
    await page.getByRole('button', { name: 'Continue without destination' }).waitFor()
    expect(await bob.getTrigger({ fullname: 'shop.p.timer' })).toMatchObject({ triggerSpec })
    expect((await bob.getTriggerDraft({ fullname: 'shop.p.timer-2' })).meta.title).toBe('Drafted')
    expect((await bob.getTrigger({ fullname: 'shop.p.timer-3' })).triggerSpec).toMatchObject({ type: 'timer' })
  },
  journeyMs,
)

test(
  'the token that the first start prints opens the console',
  async () => {
    const ann = await site.house.person('root')
    const page = await site.visit()
    await page.goto('/sign-in')
    await page.getByRole('radio', { name: 'Password' }).press('ArrowRight')
    await page.getByRole('textbox', { name: 'Access token' }).fill(ann.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  },
  journeyMs,
)

test(
  'a wrong password shows an error on the same page',
  async () => {
    const page = await site.visit({ allows: /status of 401 .*\/api\/auth\/sign-in/ })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  },
  journeyMs,
)
