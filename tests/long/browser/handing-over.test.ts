import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { choose } from '../../browser/harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { expectDanger } from '../../browser/harness/looks.ts'
import { addressList, customSource, project, resource, subscription, template, trigger } from '../../harness/index.ts'
import { type Mailbox, startMailbox } from '../../harness/mailbox.ts'

let site: Site
let mail: Mailbox
beforeAll(async () => {
  mail = await startMailbox()
  site = await openSite({ SMTP_URL: mail.url, MAIL_FROM: 'alerts@tocsin.example' })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await mail.close()
})

test(
  'an owner transfers a project, and it moves when the other owner accepts',
  async () => {
    const [ann, bob] = await Promise.all([site.house.person('ann'), site.house.person('bob')])
    await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
    await bob.saveWorkspace({ fullname: 'beta', body: { fullname: 'beta', meta: { title: 'Beta' } } })
    await ann.saveProject({ fullname: 'acme.pay', body: project('acme.pay') })
    await ann.saveTrigger({ fullname: 'acme.pay.tick', body: trigger('acme.pay.tick') })

    const giving = await site.visit({ as: ann })
    await giving.goto('/w/acme/projects/acme.pay/transfer')
    await giving.getByLabel('Target workspace').fill('acme')
    await giving.getByRole('button', { name: 'Show plan' }).click()
    await giving.getByText('The project cannot be moved there').waitFor()
    expect(await giving.getByRole('button', { name: 'Send request' }).count()).toBe(0)
    await giving.getByLabel('Target workspace').fill('beta')
    await giving.getByRole('button', { name: 'Show plan' }).click()
    await giving.getByRole('region', { name: 'Plan' }).getByText('beta.pay.tick').first().waitFor()
    await giving.getByRole('button', { name: 'Send request' }).click()
    await giving.waitForURL('**/w/acme/transfers?direction=outgoing')
    await giving.getByRole('button', { name: 'Cancel transfer of acme.pay' }).waitFor()
    expect((await ann.getProject({ fullname: 'acme.pay' })).fullname).toBe('acme.pay')

    const taking = await site.visit({ as: bob })
    await taking.goto('/w/beta/transfers')
    await taking.getByRole('button', { name: 'Accept acme.pay' }).click()
    await taking.getByRole('dialog').getByRole('button', { name: 'Accept transfer' }).click()
    await taking.waitForURL('**/w/beta/projects/beta.pay')
    await taking.getByRole('heading', { level: 1, name: 'pay' }).waitFor()

    await giving.reload()
    await giving.getByRole('row', { name: /Accepted/ }).waitFor()
    const { fullname, workspace } = await bob.getTrigger({ fullname: 'beta.pay.tick' })
    expect({ fullname, workspace }).toEqual({ fullname: 'beta.pay.tick', workspace: 'beta' })
  },
  journeyMs,
)

test(
  'a visitor who opens an invite link creates an account and becomes a member',
  async () => {
    const ann = await site.house.person('ann')
    await ann.saveWorkspace({ fullname: 'crew', body: { fullname: 'crew', meta: { title: 'Crew' } } })
    const inviting = await site.visit({ as: ann })
    await inviting.goto('/w/crew/members')
    const link = await inviting.getByRole('textbox', { name: 'Invite link' }).inputValue()
    expect(new URL(link).pathname).toBe('/join/crew')

    const joining = await site.visit()
    await joining.goto(link)
    await joining.getByRole('link', { name: 'Create an account' }).click()
    await joining.getByLabel('Name').fill('Cleo')
    await joining.getByLabel('E-mail').fill('cleo@example.org')
    await joining.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await joining.getByRole('button', { name: 'Create account' }).click()
    await joining.getByRole('button', { name: 'Join workspace' }).click()
    await joining.waitForURL('**/w/crew/projects')
    await joining.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()

    await inviting.reload()
    await expectDanger(inviting.getByRole('row', { name: /Cleo/ }).getByRole('button', { name: 'Remove Cleo' }))
    const members = await ann.listAcl({ workspace: 'crew' })
    expect(members.map(({ user, level }) => [user.name, level])).toContainEqual(['Cleo', 'user'])
  },
  journeyMs,
)

test(
  'a person joins by an invitation in a mail, and the audit log shows it',
  async () => {
    const ann = await site.house.person('ann')
    await ann.saveWorkspace({ fullname: 'band', body: { fullname: 'band', meta: { title: 'Band' } } })
    const inviting = await site.visit({ as: ann })
    await inviting.goto('/w/band/members')
    const form = inviting.getByRole('region', { name: 'Invite by e-mail' })
    await form.getByRole('textbox', { name: 'E-mail' }).fill('dora@example.org')
    await choose(form, 'Role', /^Developer/)
    await inviting.waitForFunction(() => JSON.stringify(sessionStorage).includes('developer'))
    await inviting.reload()
    await form.getByText('Your unsaved changes are back').waitFor()
    expect(await form.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('dora@example.org')
    await inviting.getByRole('button', { name: 'Send invitation' }).click()
    await inviting.getByRole('list', { name: 'Pending invitations' }).getByText('dora@example.org').waitFor()
    await expect.poll(() => form.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('')
    expect(await inviting.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('invitation band')

    const joining = await site.visit()
    await joining.goto(/https?:\/\/\S+\/join\/\S+/.exec(mail.received.at(-1)?.text ?? '')?.[0] ?? '')
    await joining.getByRole('link', { name: 'Create an account' }).click()
    await joining.getByLabel('Name').fill('Dora')
    await joining.getByLabel('E-mail').fill('dora@example.org')
    await joining.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await joining.getByRole('button', { name: 'Create account' }).click()
    await joining.getByRole('button', { name: 'Join workspace' }).click()
    await joining.waitForURL('**/w/band/projects')
    const members = await ann.listAcl({ workspace: 'band' })
    expect(members.map(({ user, level }) => [user.name, level])).toContainEqual(['Dora', 'developer'])

    await inviting.getByRole('link', { name: 'Audit log' }).click()
    const log = inviting.getByRole('table', { name: 'Audit log' })
    await log.getByRole('row', { name: /Dora member\.join dora@example\.org/ }).waitFor()
    await choose(inviting, 'Action', /^invitation\.create$/)
    await log.getByRole('row', { name: /member\.join/ }).waitFor({ state: 'detached' })
    await log.getByRole('row', { name: /ann invitation\.create dora@example\.org level, expiresAt/ }).waitFor()
    expect(new URL(inviting.url()).searchParams.get('action')).toBe('invitation.create')
    await joining.goto('/w/band/members')
    await joining.getByRole('heading', { level: 1, name: 'Band' }).waitFor()
    expect(await joining.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  },
  journeyMs,
)

test(
  'pages of entities of a stack name the stack, warn before an edit and show what was changed by hand',
  async () => {
    const ann = await site.house.person('ann')
    await ann.saveWorkspace({ fullname: 'coded', body: { fullname: 'coded', meta: { title: 'Coded' } } })
    const { mode, ...source } = customSource('coded.chain', { endpoints: ['http://127.0.0.1:9'] })
    const entities = [
      { kind: 'source' as const, payload: source },
      { kind: 'address-list' as const, payload: addressList('coded.list') },
      { kind: 'project' as const, payload: project('coded.pay') },
      { kind: 'resource' as const, payload: resource('coded.hook') },
      { kind: 'trigger' as const, payload: trigger('coded.pay.moved') },
      { kind: 'template' as const, payload: { key: 'main', ...template('coded.pay') } },
      { kind: 'subscription' as const, payload: { key: 'moves', ...subscription('coded.pay.moved') } },
    ]
    const body = { stack: 'production', entities }
    const { planHash } = await ann.planStack({ fullname: 'coded', body })
    await ann.applyStack({ fullname: 'coded', body: { ...body, expectedPlanHash: planHash } })
    const [made] = await ann.listTemplates({ fullname: 'coded.pay' })
    const [subscribed] = await ann.listSubscriptions({ query: { workspace: 'coded' } })

    const page = await site.visit({ as: ann })
    const notice = page.getByRole('status').filter({ hasText: 'Managed by stack production' })
    const warning = notice.getByText('The next apply of the stack overwrites what you change here.')
    for (const path of ['projects/coded.pay', 'triggers/coded.pay.moved', 'sources/coded.chain']) {
      await page.goto(`/w/coded/${path}`)
      await notice.waitFor()
      expect(await warning.count()).toBe(0)
    }
    await page.goto(`/w/coded/subscriptions/${subscribed?.id}`)
    await notice.waitFor()
    const edits = [
      ...['triggers/coded.pay.moved/edit', 'sources/coded.chain/edit', 'resources/coded.hook'],
      ...[`projects/coded.pay/templates/${made?.id}`, `subscriptions/${subscribed?.id}/edit`],
    ]
    for (const path of edits) {
      await page.goto(`/w/coded/${path}`)
      await warning.waitFor()
    }
    await page.goto('/w/coded/address-lists')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByText('Managed by stack production').waitFor()

    await page.goto('/w/coded/projects/coded.pay/settings')
    await warning.waitFor()
    await page.getByRole('textbox', { name: 'Title' }).first().fill('Payments')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await notice.getByText('Changed since the last apply: meta.title').waitFor()
    expect(await ann.getProject({ fullname: 'coded.pay' })).toMatchObject({ labels: { 'tocsin.stack': 'production' } })

    await notice.getByRole('link', { name: 'Show the stack' }).click()
    await page.getByRole('heading', { level: 1, name: 'production' }).waitFor()
    const table = page.getByRole('table', { name: 'Definitions' })
    const rows = await table.locator('tbody tr').allInnerTexts()
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').trim()).toSorted()).toEqual([
      'Address list coded.list Unchanged',
      'Destination coded.hook Unchanged',
      'Project coded.pay Changed',
      'Source coded.chain Unchanged',
      'Subscription moves Unchanged',
      'Template main Unchanged',
      'Trigger coded.pay.moved Unchanged',
    ])
    const drift = page.getByRole('region', { name: 'Project coded.pay' })
    expect(await drift.getByRole('list', { name: 'Changes of coded.pay' }).innerText()).toMatch(
      /meta.title\s.*\s+Payments/,
    )
    await table.getByRole('link', { name: 'main' }).click()
    await warning.waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Stacks' }).click()
    await page
      .getByRole('table', { name: 'Stacks' })
      .getByRole('row', { name: /production 7/ })
      .waitFor()
  },
  journeyMs,
)
