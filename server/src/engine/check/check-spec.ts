import type { Issue, TriggerSpec } from '@tocsin/contract'
import { issueUnless } from '../base/issue-unless.ts'
import type { Warning } from '../sources/chain-rules.ts'
import { rulesOfSpec } from '../sources/chains.ts'
import { checkTimer } from '../sources/timer/schedule.ts'

const sourceName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/

/** Does not check if the data source exists: an unknown source does not make a definition invalid. */
export async function checkSpec(spec: TriggerSpec, path: string): Promise<Issue[]> {
  if (spec.type === 'timer') return checkTimer(spec, path)
  const issues = checkSourceName(spec.dataSource, `${path}.dataSource`)
  const rules = rulesOfSpec(spec.type)
  // The contract knows the type and no chain does: without this error the spec would pass unchecked.
  if (!rules) throw new Error(`no chain has trigger specs of type ${spec.type}`)
  return [...issues, ...(await rules.checkSpec(spec, path))]
}

export function checkSourceName(fullname: string, path: string): Issue[] {
  return issueUnless(sourceName.test(fullname), path, 'must be the fullname of a source')
}

/** Warns about a valid spec that decodes less than its author may expect. */
export async function warnOfSpec(spec: TriggerSpec | null, path: string): Promise<Warning | undefined> {
  return spec ? rulesOfSpec(spec.type)?.warnOf?.(spec, path) : undefined
}

/** Finds probable typing errors in a valid spec. */
export function checkSpelling(spec: TriggerSpec | null, path: string): Issue[] {
  return (spec && rulesOfSpec(spec.type)?.checkSpelling?.(spec, path)) ?? []
}
