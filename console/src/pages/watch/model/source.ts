import type { Answered } from '@tocsin/sdk'

/** From the SDK, because these files know no browser. */
export type Source = Answered<'listRuntimeSources'>['body'][number]
export type CoreAction = Answered<'listCoreActions'>['body']['actions'][number]

/** The sources that can run, running ones first. */
export function sortSources(sources: readonly Source[]): Source[] {
  const rank = ({ status }: Source) => (status === 'running' ? 0 : 1)
  return sources.filter(({ configured }) => configured).sort((a, b) => rank(a) - rank(b))
}
