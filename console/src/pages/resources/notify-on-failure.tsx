import { Select, Skeleton, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { Section } from '../../components/page.tsx'
import type { Args } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import type { Entity } from '../../data/queries.ts'
import type { Resource } from '../../layouts/destination/blueprints.ts'
import { useDestinations } from '../../layouts/destination/health.tsx'

/** The value of the first option. It is the name of no destination. */
const nobody = ''

/** Chooses the destination that gets a message when this one begins to fail, and when it works again. */
export function NotifyOnFailure({ entity }: { entity: Entity<Resource> }) {
  const { meta, name } = entity.view
  return (
    <Section
      title="Tell me when delivery fails"
      about={`Another destination gets one message when deliveries to ${meta.title ?? name} go on failing after a retry, and one when they work again.`}
    >
      <OtherDestination entity={entity} />
    </Section>
  )
}

function OtherDestination({ entity }: { entity: Entity<Resource> }) {
  const { workspace, fullname } = entity.view
  const { items, isLoading, error, reload } = useDestinations(workspace)
  if (error && items.length === 0) return <ErrorNotice error={error} retry={reload} />
  if (isLoading) return <Skeleton height={60} />
  const others = items.filter((one) => one.fullname !== fullname)
  if (others.length > 0) return <Choice entity={entity} others={others} />
  return (
    <Text c="dimmed" size="sm">
      A destination cannot report its own failure.{' '}
      <LinkText to="/w/$workspace/resources/new" params={{ workspace }}>
        Create another destination
      </LinkText>{' '}
      first.
    </Text>
  )
}

function Choice({ entity: { view, tag }, others }: { entity: Entity<Resource>; others: Resource[] }) {
  const save = useChange('saveResource', {
    notice: ({ notifyOnFailure }) =>
      notifyOnFailure === undefined
        ? 'Nobody is told when delivery fails.'
        : `${titleOf(others, notifyOnFailure)} is told when delivery fails.`,
  })
  const choose = (notifyOnFailure: string | null) =>
    save.mutate({
      fullname: view.fullname,
      body: { ...bodyOf(view), notifyOnFailure: notifyOnFailure === nobody ? null : notifyOnFailure },
      ...(tag !== undefined && { ifMatch: tag }),
    })
  return (
    <>
      <Select
        label="Destination that is told"
        data={[
          { value: nobody, label: 'Nobody' },
          ...others.map(({ fullname, meta, name }) => ({ value: fullname, label: meta.title ?? name })),
        ]}
        value={view.notifyOnFailure ?? nobody}
        onChange={choose}
        disabled={save.isPending}
        allowDeselect={false}
      />
      <ErrorNotice error={save.error} />
    </>
  )
}

function titleOf(resources: Resource[], fullname: string): string {
  const found = resources.find((one) => one.fullname === fullname)
  return found?.meta.title ?? found?.name ?? fullname
}

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
