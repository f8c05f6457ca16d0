import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeViolations } from '../../browser/harness/axe.ts'
import {
  addProvider,
  changeAndPublish,
  chooseEvent,
  goToWhere,
  lookBack,
  retitle,
  saveAndPublish,
  subscribe,
  testOnBlock,
  writeScripts,
} from '../../browser/harness/building.ts'
import {
  addConditions,
  addWaitingProvider,
  chooseFunction,
  startTrigger,
} from '../../browser/harness/building-calls.ts'
import { choose } from '../../browser/harness/choose.ts'
import { contract, definitionOf, everyOption, factory } from '../../browser/harness/every-option.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { emitTransfer, followNode, transferAbi } from '../../browser/harness/seed.ts'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { until } from '../../harness/following.ts'
import { addressList, type Person, project, rejects, resource, subscription, trigger } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

const retry = {
  ...{ attempts: 4, delayMs: 250, backoff: 'fixed' },
  ...{ retryOn: ['http_error'], until: { path: 'status', equals: 'done' } },
}
let site: Site
let node: EvmNode
let receiver: Receiver
let dev: Person
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  receiver = await startReceiver()
  dev = await site.house.person('dev')
  await dev.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  await dev.saveProject({
    fullname: 'acme.pay',
    body: project('acme.pay', { meta: { title: 'Pay', description: '' } }),
  })
  await followNode(dev, 'acme.devnet', node, 'Devnet')
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
  receiver?.close()
})

test(
  'a trigger that is built, tested and published in the console sends alerts to the feed and to a webhook',
  async () => {
    const { hash } = await emitTransfer(node, 7n)
    const receipt = (await node.request('eth_getTransactionReceipt', [hash])) as { blockNumber: string }
    const page = await site.visit({ as: dev })
    await startTrigger(page, 'Big transfer')
    await chooseEvent(page)
    await testOnBlock(page, Number(receipt.blockNumber))
    await addProvider(page)
    await writeScripts(page)
    await testOnBlock(page, Number(receipt.blockNumber))
    await lookBack(page, Number(receipt.blockNumber))
    await saveAndPublish(page)
    await changeAndPublish(page)
    await subscribe(page, receiver.url)

    await page.getByRole('link', { name: 'Show alerts' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('No alerts match the filters').waitFor()
    await emitTransfer(node, 5n)
    const alert = page.getByRole('listitem').filter({ hasText: '5 ACME moved on chain 0x7a69' })
    await alert.waitFor()
    await until(
      async () => receiver.received.length,
      (count) => count > 0,
      60_000,
    )
    const { message } = JSON.parse(receiver.received[0]?.body ?? '').data
    expect(message).toMatchObject({ title: '5 ACME moved on chain 0x7a69', short: 'Look: 5' })
    await alert.getByText('Delivered').waitFor()

    await alert.getByRole('link').click()
    const trace = page.getByRole('region', { name: 'Trace' })
    await trace.getByRole('button', { name: /^Source.*block \d/ }).waitFor()
    await trace.getByRole('button', { name: /^Message.*5 ACME moved/ }).waitFor()
    await trace.getByRole('button', { name: /^Destinations.*1 delivered/ }).waitFor()
    await trace.getByRole('button', { name: /^Data/ }).click()
    await trace.getByRole('region', { name: 'Providers' }).getByText('"0x7a69"').waitFor()
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
      60_000,
    )
  },
  journeyMs,
)

test(
  'a trigger on calls, with conditions and a provider that waits, is built by the forms alone and fires',
  async () => {
    const whale = `0x${'a1'.repeat(20)}`
    const token = await node.deploy('00')
    const transfer = async (tokens: bigint) => {
      const words = [BigInt(whale), tokens * 10n ** 18n].map((value) => value.toString(16).padStart(64, '0'))
      return node.send({ to: token, data: `0xa9059cbb${words.join('')}` })
    }
    const list = addressList('acme.whales', { addresses: [whale], meta: { title: 'Whales' } })
    await dev.saveAddressList({ fullname: list.fullname, body: list })
    const status = await startReceiver()
    let answersLeft = 0
    status.answer = () => ({ status: 200, body: JSON.stringify(answersLeft-- > 0 ? {} : { status: 'done' }) })
    const receipt = await node.request('eth_getTransactionReceipt', [await transfer(7n)])
    const block = Number((receipt as { blockNumber: string }).blockNumber)

    const page = await site.visit({ as: dev })
    await startTrigger(page, 'Big call')
    await chooseFunction(page, token)
    await addWaitingProvider(page, status.url)
    await addConditions(page)
    expect(await axeViolations(page)).toEqual([])
    await testOnBlock(page, block)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.waitForURL('**/w/acme/triggers/acme.pay.big-call')
    const saved = await dev.getTrigger({ fullname: 'acme.pay.big-call' })
    expect(saved.status.status).toBe('ready')
    expect(saved.triggerSpec).toMatchObject({ type: 'evm_call', contract: token, method: 'transfer' })
    expect(saved.providers).toEqual([{ id: 'p1', type: 'http', url: status.url, runIf: 'source.depth === 0', retry }])
    expect(saved.conditions).toEqual({
      all: [
        { param: 'source.params.amount', op: 'gte', value: { amount: '5', decimals: 18 } },
        {
          any: [
            { param: 'source.params.to', op: 'in', value: { list: 'acme.whales' } },
            { param: 'providers.p1.status', op: 'eq', value: 'unknown' },
          ],
        },
      ],
    })

    const { id } = await dev.createSubscription({ body: subscription('acme.pay.big-call', { workspace: 'acme' }) })
    await page.goto(`/w/acme/alerts?subscription=${id}`)
    await page.getByText('Live', { exact: true }).waitFor()
    await transfer(1n)
    answersLeft = 2
    status.received.length = 0
    await transfer(8n)
    await page
      .getByRole('list', { name: 'Alerts, newest first' })
      .getByText(/^transfer of/)
      .waitFor()
    const fired = await dev.listAlerts({ query: { subscription: id } })
    expect(fired).toHaveLength(1)
    const { output } = await dev.getAlert({ id: fired[0]?.id ?? '' })
    expect(output.raw).toMatchObject({ amount: `${8n * 10n ** 18n}` })
    expect(status.received).toHaveLength(3)
    status.close()
  },
  journeyMs,
)

test(
  'the forms change only their own part of a definition that uses every option',
  async () => {
    const fullname = 'acme.pay.whole'
    await dev.saveTrigger({ fullname, body: trigger(fullname, everyOption) })
    const { meta, ...before } = await dev.getTriggerDraft({ fullname })
    const page = await site.visit({ as: dev })
    await page.goto(`/w/acme/triggers/${fullname}/edit`)
    for (const name of ['Source', 'Condition', 'Data', 'Message', 'Destinations', 'JSON'])
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
    await retitle(page, 'Whole')
    const save = async () => {
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      return dev.getTriggerDraft({ fullname })
    }
    const opened = await save()
    expect(definitionOf(opened)).toEqual(definitionOf({ ...before, meta: { ...meta, title: 'Whole' } }))

    await page.getByRole('tab', { name: /^Source/ }).click()
    const fork = page.getByRole('region', { name: 'Source fork' })
    await fork.getByRole('textbox', { name: 'From block' }).fill('7')
    await page.getByRole('button', { name: 'Add another source' }).click()
    await choose(page.getByRole('region', { name: 'Source source' }), 'Source', /^Devnet/)
    await page.getByRole('region', { name: 'Source devnet' }).getByRole('textbox', { name: 'Contract' }).fill(contract)
    await page.getByRole('button', { name: 'Remove source main' }).click()
    await page.getByRole('tab', { name: /^Condition/ }).click()
    await page.getByRole('button', { name: 'Remove condition 3.1', exact: true }).click()
    await page.getByRole('tab', { name: /^Data/ }).click()
    const limits = page.getByRole('group', { name: 'Limits of a run' })
    const time = limits.getByRole('textbox', { name: 'Time for all providers (ms)' })
    await time.fill('99')
    await limits.getByText('must be at least 100').waitFor()
    await time.fill('5000')
    const { triggerSpec, sourceBindings, conditions, executionPolicy } = await save()
    expect(executionPolicy).toEqual({ ...everyOption.executionPolicy, timeoutMs: 5000 })
    expect(triggerSpec).toMatchObject({ ...everyOption.triggerSpec, dataSource: 'common.fork' })
    expect(sourceBindings).toEqual([
      { id: 'fork', dataSource: 'common.fork', contract: { factory: { ...factory, fromBlock: 7 } } },
      { id: 'devnet', dataSource: 'acme.devnet', contract },
    ])
    expect(conditions).toEqual({ all: everyOption.conditions.all.toSpliced(2, 1) })
    for (const name of ['Time for all providers (ms)', 'Runs at the same time'])
      await limits.getByRole('textbox', { name }).fill('')
    expect((await save()).executionPolicy).toBeNull()
  },
  journeyMs,
)

test(
  'leaving unsaved changes by a link or by closing the tab needs a confirmation',
  async () => {
    await dev.saveTrigger({ fullname: 'acme.pay.tick', body: trigger('acme.pay.tick') })
    const page = await site.visit({ as: dev })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const leave = async (answer: string) => {
      await page.getByRole('link', { name: 'Destinations' }).click()
      await question.getByRole('button', { name: answer }).click()
    }
    const titleOf = async () => (await dev.getTriggerDraft({ fullname: 'acme.pay.tick' })).meta.title
    await page.goto('/w/acme/triggers/acme.pay.tick')
    await page.getByRole('link', { name: 'Edit' }).click()
    await retitle(page, 'Tock')

    await leave('Stay here')
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    await page.goBack()
    await question.getByRole('button', { name: 'Stay here' }).click()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe('Tock')

    await leave('Save draft and leave')
    await page.waitForURL('**/w/acme/resources')
    expect(await titleOf()).toBe('Tock')
    await page.goto('/w/acme/triggers/acme.pay.tick/edit')
    await retitle(page, 'Lost')
    await leave('Leave without saving')
    await page.waitForURL('**/w/acme/resources')
    expect(await titleOf()).toBe('Tock')
  },
  journeyMs,
)

test(
  'a subscriber of a public project tests a trigger whose source only its owner may read',
  async () => {
    const fullname = 'acme.open.transfer'
    await dev.saveProject({ fullname: 'acme.open', body: project('acme.open', { accessLevel: 'public' }) })
    await dev.saveTrigger({
      fullname,
      body: trigger(fullname, {
        triggerSpec: { type: 'evm_log', dataSource: 'acme.devnet', abiFragment: transferAbi },
        transform: '({ amount: helpers.formatUnits(source.params.value, 18) })',
        defaults: { title: '{{raw.amount}} moved' },
      }),
    })
    await emitTransfer(node, 31n)
    const bob = await site.house.person('bob')
    await rejects(bob.getCustomSource({ fullname: 'acme.devnet' }), { code: 'not_found', status: 404 })
    const workspace = (await bob.listWorkspaces())[0]?.fullname ?? ''
    const hook = resource(`${workspace}.hook`, { data: { url: receiver.url }, meta: { title: 'Hook' } })
    await bob.saveResource({ fullname: hook.fullname, body: hook })

    const page = await site.visit({ as: bob })
    await page.goto(`/w/${workspace}/subscriptions/new?project=acme.open&trigger=${fullname}`)
    await goToWhere(page)
    await page.getByRole('checkbox', { name: 'Hook' }).check()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('article', { name: 'Message: 31 moved' }).waitFor()
    await page.getByRole('button', { name: 'Send test', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Test message sent').waitFor()
    const sent = receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'alert.test')
    expect(sent.map(({ data }) => data.message.title)).toEqual(['31 moved'])
  },
  journeyMs,
)
