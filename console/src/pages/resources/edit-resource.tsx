import { Skeleton } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../data/changes.ts'
import type { Entity } from '../../data/queries.ts'
import { type Resource, useBlueprints } from '../../layouts/destination/blueprints.ts'
import { DestinationForm, type DestinationValues } from '../../layouts/destination/destination-form.tsx'
import { bodyOf } from './resource-body.ts'

/** The title and the settings of a destination. */
export function EditResource({ entity: { view, tag } }: { entity: Entity<Resource> }) {
  const { items, isLoading, error, reload } = useBlueprints()
  const change = useChange('saveResource', { notice: 'Destination saved.', refetches: ['subscriptions'] })
  if (error && items.length === 0) return <ErrorNotice error={error} retry={reload} />
  if (isLoading) return <Skeleton height={120} />
  const { name, fullname } = view
  const blueprint = items.find((known) => known.fullname === view.blueprint)
  if (!blueprint) return <p>This service no longer supports the kind {view.blueprint}.</p>
  const save = ({ title, data }: DestinationValues, version: string | undefined) => {
    const body = {
      ...bodyOf(view),
      ...(!blueprint.external && { data }),
      meta: title.trim() === '' ? {} : { title },
    }
    return change.mutateAsync({ fullname, body, ...(version !== undefined && { ifMatch: version }) })
  }
  return (
    <DestinationForm
      blueprint={blueprint}
      initial={{ title: view.meta.title ?? '', name, data: view.data ?? {} }}
      version={tag}
      verb="Save"
      save={save}
    />
  )
}
