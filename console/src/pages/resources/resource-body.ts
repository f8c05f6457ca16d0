import type { Args } from '../../data/api.ts'
import type { Resource } from '../../layouts/destination/blueprints.ts'

/** A PUT replaces the whole resource, so a change of one field sends all the others as they are. */
export function bodyOf(resource: Resource): Args<'saveResource'>['body'] {
  const { name, fullname, workspace, project, blueprint, data, notifyOnFailure, tags, labels, meta } = resource
  return {
    ...{ name, fullname, workspace, blueprint, tags, labels, meta },
    ...(project !== undefined && { project }),
    ...(data !== undefined && { data }),
    ...(notifyOnFailure !== undefined && { notifyOnFailure }),
  }
}
