import type { Defaults, Issue, Severity } from '@tocsin/contract'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { type AlertContext, previewAll } from '../../../engine/destinations/index.ts'
import { fanOut, readMessageNetwork, type SubscribedTrigger } from '../../../engine/fan-out/index.ts'
import { makeAddressBook, type RenderedMessage } from '../../../engine/message/index.ts'
import { readMessageInTurn } from '../../../engine/threads/index.ts'
import { findPlace } from '../../find-source.ts'
import type { Context, Handler } from '../../handler.ts'
import { findKeptNames } from '../../look-ups.ts'
import { requireTryOutScope, runTryOut, type TryOut } from '../../try-out.ts'
import { requireReadableSources } from '../sources.ts'
import { limited } from './handlers.ts'

type Asked = Context<'previewMessage'>

/** Renders the trigger's own templates with an output, and shows the body that each channel would send. */
export const previewMessage: Handler<'previewMessage'> = async (context) => {
  const { account, body, store } = context
  await requireReadableSources(context, body.triggerSpec ? { triggerSpec: body.triggerSpec } : {})
  const scope = await requireTryOutScope(store, account, body.project)
  const read = await readMessageInTurn(account.id, { triggerSpec: body.triggerSpec, defaults: body.defaults })
  if (!read.ok) return { valid: false, issues: read.issues, channels: [] }
  const { defaults, spec, issues: found } = read.value
  return limited(context, scope, () =>
    runTryOut(
      context,
      spec,
      async (tryOut) => {
        const { message, severity, issues: failed } = await render(context, tryOut, defaults)
        const issues = issuesAt(found, failed)
        const channels = previewAll(message, await alertOf(context, severity))
        return { valid: issues.length === 0, issues, message, severity, channels }
      },
      scope,
    ),
  )
}

/** Uses the fan-out of the live loop, with a subscription that changes nothing. */
async function render(context: Asked, tryOut: TryOut, defaults: Defaults): Promise<RenderedMessage> {
  const { body, store, account, engine, settings } = context
  const { fullname, project } = nameOf(body)
  const trigger: SubscribedTrigger = { fullname, project, title: body.title, definition: { defaults } }
  const item: SourceItem = body.input
  const listeners = [{ key: 'preview', accountId: account.id, ...plainRules }]
  const outputs = [{ raw: body.output.raw, human: body.output.human }]
  const source = {
    addressOf: () => tryOut.addressOf(),
    connection: () => tryOut.connection(),
    tokens: engine.tokens,
    findNames: (hashes: readonly string[]) => findKeptNames(context, sourceOf(body), hashes),
  }
  const network = await readMessageNetwork(trigger, [{ item, outputs, listeners }], source)
  const member = await store.workspaces.findForMember(nameOf(body).workspace, account.id)
  const addressBook = makeAddressBook(await store.addresses.listForBooks(account.id, member?.id ?? null))
  const [rendered] = fanOut({
    ...{ trigger, item, outputs, listeners, network },
    source: sourceOf(body),
    addressBookOf: () => addressBook,
    publicUrl: settings.publicUrl,
    onIssue: () => undefined,
  })
  if (!rendered) throw new Error('One output for one listener must have one result.')
  return rendered.render()
}

const plainRules = {
  inputs: {},
  conditions: null,
  policy: null,
  delivery: { mode: 'continuous' },
  overrides: {},
} as const

/** A template that does not parse has issues with line and column. Others fail only with some outputs. */
function issuesAt(found: readonly Issue[], failed: readonly string[]): Issue[] {
  const rest = failed.map((text) => {
    const [field = '', ...words] = text.split(' ')
    return { path: `defaults.${field}`, message: words.join(' ') }
  })
  return [...found, ...rest.filter(({ path }) => !found.some((issue) => issue.path.startsWith(path)))]
}

async function alertOf(context: Asked, severity: Severity): Promise<AlertContext> {
  const { body, now } = context
  const { fullname, project, workspace } = nameOf(body)
  const source = sourceOf(body)
  return {
    ...{ alertId: 'preview', workspace, project, trigger: fullname, severity, state: null, backfilled: false },
    rawJson: JSON.stringify(body.output.raw) ?? 'null',
    humanJson: JSON.stringify(body.output.human) ?? 'null',
    ...(source !== null && { source }),
    ...(await findPlace(context, source, body.input)),
    createdAt: now,
  }
}

function sourceOf({ triggerSpec }: Asked['body']): string | null {
  return triggerSpec && 'dataSource' in triggerSpec && typeof triggerSpec.dataSource === 'string'
    ? triggerSpec.dataSource
    : null
}

/** `acme.pay.large`: the workspace, the project and the trigger. */
function nameOf({ trigger, project }: Asked['body']) {
  const [workspace = '', name = ''] = trigger.split('.')
  return { fullname: trigger, workspace, project: project ?? `${workspace}.${name}` }
}
