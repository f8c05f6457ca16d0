import type { Issue } from '../base/errors.ts'
import { overCount, overProviders, overTagging, overTrigger, type PayloadLimits } from '../base/payload-limits.ts'
import type { RouteName, Routes } from './index.ts'
import type { Body } from './route.ts'

type Check<Name extends RouteName> = (body: Body<Routes[Name]>, limits: PayloadLimits) => Issue[]

/** The fields that have limits. A route whose body has one of them and no check below does not compile. */
type LimitedField = 'tags' | 'labels' | 'providers' | 'items' | 'fullnames' | 'definition'
type LimitedRoute = {
  [Name in RouteName]: Extract<keyof Body<Routes[Name]>, LimitedField> extends never ? never : Name
}[RouteName]

const limitedRoutes: { [Name in LimitedRoute]: Check<Name> } = {
  saveWorkspace: overTagging,
  saveProject: overTagging,
  saveResource: overTagging,
  saveTrigger: overTrigger,
  saveTriggerDraft: overTrigger,
  // These routes exist to find mistakes, so a script that is too long is reported in the response with the other
  // issues.
  previewTrigger: overProviders,
  testTrigger: overProviders,
  testTriggerBlock: overProviders,
  backtestTrigger: ({ definition }, limits) => (definition ? overTrigger(definition, limits, 'definition') : []),
  patchTriggers: ({ items }, limits) => overCount('items', items.length, limits.bulkItems, 'items'),
  removeTriggers: ({ fullnames }, limits) => overCount('fullnames', fullnames.length, limits.bulkItems, 'items'),
}
const checks: { [Name in RouteName]?: Check<Name> } = limitedRoutes

/** Every part of a well-formed body that exceeds a limit of this service. */
export function overLimits<Name extends RouteName>(
  name: Name,
  body: Body<Routes[Name]>,
  limits: PayloadLimits,
): Issue[] {
  return checks[name]?.(body, limits) ?? []
}
