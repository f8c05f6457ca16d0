import { applyTemplateValues, copyWindows, runProviders } from '../../../engine/providers/index.ts'
import { itemTimeMs } from '../../../engine/sources/item-time.ts'
import { readProviderInTurn, readSpecInTurn } from '../../../engine/threads/index.ts'
import { requireMember } from '../../access.ts'
import type { Handler } from '../../handler.ts'
import { requireTryOutScope, runTryOut } from '../../try-out.ts'
import { requireReadableSources } from '../sources.ts'
import { limited, noDebug } from './handlers.ts'

/** Runs one provider. The values of its placeholders come from testInput and templateValues. */
export const testProvider: Handler<'testProvider'> = async (context) => {
  const { body, store, account } = context
  const scope = {
    workspace: body.workspace,
    charged: body.workspace,
    ...(await requireTryOutScope(store, account, body.project)),
  }
  if (body.workspace !== undefined) await requireMember(store, account, body.workspace)
  await requireReadableSources(context, { triggerSpec: body.triggerSpec, providers: [body.provider] })
  return limited(context, scope, async () => {
    const spec = body.triggerSpec === null ? undefined : await readSpecInTurn(account.id, body.triggerSpec)
    const provider = await readProviderInTurn(account.id, body.provider, context.settings.limits)
    const issues = [...(spec && !spec.ok ? spec.issues : []), ...(provider.ok ? [] : provider.issues)]
    if (issues.length > 0 || !provider.ok) return { valid: false, issues, debug: noDebug }
    return runTryOut(
      context,
      spec?.ok ? spec.value : null,
      async ({ connection, secrets, now }) => {
        const source = body.triggerSpec?.testInput ?? {}
        const scope = applyTemplateValues({ source, inputs: {}, providers: {} }, body.templateValues ?? {})
        const { scripts, door } = context.engine
        const item = (typeof scope.source === 'object' ? scope.source : {}) as Record<string, unknown>
        const run = await runProviders([provider.value], {
          ...scope,
          given: scope.providers,
          nowMs: itemTimeMs(item),
          askedAtMs: now.getTime(),
          scripts,
          door,
          connection,
          secrets,
          windows: copyWindows(),
          trigger: 'try-out',
          pathOf: () => 'provider',
        })
        const debug = { ...noDebug, providers: run.debug, logs: run.logs, metrics: run.metrics }
        const result = run.values[provider.value.id]
        return { valid: run.ok, issues: run.issues, ...(run.ok && { result }), debug }
      },
      scope,
    )
  })
}
