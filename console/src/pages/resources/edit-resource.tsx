import { Skeleton } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../data/changes.ts'
import type { Entity } from '../../data/queries.ts'
import { type Resource, useBlueprints } from '../../layouts/destination/blueprints.ts'
import { DestinationForm, type DestinationValues } from '../../layouts/destination/destination-form.tsx'

/** A PUT replaces the whole resource, so this includes tags, labels and project. */
export function EditResource({ entity: { view, tag } }: { entity: Entity<Resource> }) {
  const { items, isLoading, error, reload } = useBlueprints()
  const change = useChange('saveResource', { notice: 'Destination saved.', refetches: ['subscriptions'] })
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (isLoading) return <Skeleton height={120} />
  const { name, fullname, workspace, project, tags, labels } = view
  const blueprint = items.find((known) => known.fullname === view.blueprint)
  if (!blueprint) return <p>This service no longer supports the kind {view.blueprint}.</p>
  const save = ({ title, data }: DestinationValues) => {
    const body = {
      ...{ name, fullname, workspace, tags, labels, blueprint: blueprint.fullname },
      ...(project !== undefined && { project }),
      ...(!blueprint.external && { data }),
      meta: title.trim() === '' ? {} : { title },
    }
    return change.mutateAsync({ fullname, body, ...(tag !== undefined && { ifMatch: tag }) })
  }
  return (
    <DestinationForm
      blueprint={blueprint}
      initial={{ title: view.meta.title ?? '', name, data: view.data ?? {} }}
      verb="Save"
      save={save}
    />
  )
}
