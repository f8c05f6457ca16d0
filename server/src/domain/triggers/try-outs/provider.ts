import { type Issue, issuesOf, overProviderScript, type PayloadLimits, Provider } from '@tocsin/contract'
import { checkProvider } from '../../../engine/check/index.ts'
import { applyTemplateValues, copyWindows, runProviders } from '../../../engine/providers/index.ts'
import { itemTimeMs } from '../../../engine/sources/item-time.ts'
import { requireMember } from '../../access.ts'
import type { Handler } from '../../handler.ts'
import { requireTryOutScope, runTryOut } from '../../try-out.ts'
import { under } from '../../try-out-binding.ts'
import { requireReadableSources } from '../sources.ts'
import { noDebug } from './answers.ts'
import { readSpec } from './definition.ts'
import { limited } from './handlers.ts'

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
    const spec = body.triggerSpec === null ? undefined : await readSpec(body.triggerSpec)
    const parsed = Provider.safeParse(body.provider)
    const issues = [
      ...(spec && !spec.ok ? spec.issues : []),
      ...(await providerIssues(parsed, context.settings.limits)),
    ]
    if (issues.length > 0 || !parsed.success) return { valid: false, issues, debug: noDebug }
    return runTryOut(
      context,
      spec?.ok ? spec.value : null,
      async ({ connection, secrets, now }) => {
        const source = body.triggerSpec?.testInput ?? {}
        const scope = applyTemplateValues({ source, inputs: {}, providers: {} }, body.templateValues ?? {})
        const { scripts, door } = context.engine
        const item = (typeof scope.source === 'object' ? scope.source : {}) as Record<string, unknown>
        const run = await runProviders([parsed.data], {
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
        const result = run.values[parsed.data.id]
        return { valid: run.ok, issues: run.issues, ...(run.ok && { result }), debug }
      },
      scope,
    )
  })
}

type Parsed = ReturnType<typeof Provider.safeParse>

async function providerIssues(parsed: Parsed, limits: PayloadLimits): Promise<Issue[]> {
  if (!parsed.success) return under('provider', issuesOf(parsed.error))
  const long = overProviderScript('provider', parsed.data, limits)
  return long.length > 0 ? long : checkProvider(parsed.data, 'provider')
}
