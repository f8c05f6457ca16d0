import type { Issue } from '../base/errors.ts'
import { overCount, overProviders, overTagging, overTrigger, type PayloadLimits } from '../base/payload-limits.ts'
import type { RouteName, Routes } from '../routes.ts'
import type { Body } from './route.ts'

type Check<Name extends RouteName> = (body: Body<Routes[Name]>, limits: PayloadLimits) => Issue[]

/** Fields that the limits are about: a route whose body has one, and no check below, does not compile. */
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
  // A script that is too long is what these are asked to find: the answer tells it, with the other mistakes.
  previewTrigger: overProviders,
  testTrigger: overProviders,
  testTriggerBlock: overProviders,
  backtestTrigger: ({ definition }, limits) => (definition ? overTrigger(definition, limits, 'definition') : []),
  patchTriggers: ({ items }, limits) => overCount('items', items.length, limits.bulkItems, 'items'),
  removeTriggers: ({ fullnames }, limits) => overCount('fullnames', fullnames.length, limits.bulkItems, 'items'),
}
const checks: { [Name in RouteName]?: Check<Name> } = limitedRoutes

/** Everything in a well-formed body that is over the limits of this service. */
export function overLimits<Name extends RouteName>(
  name: Name,
  body: Body<Routes[Name]>,
  limits: PayloadLimits,
): Issue[] {
  return checks[name]?.(body, limits) ?? []
}
