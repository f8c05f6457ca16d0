/** Parts of the pages about programs and pallets. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../data/api.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { type Activity, readActivity, type Spec } from '../model/activity.ts'
import classes from './address.module.css'

/** What happened in the latest blocks. The page shows events and calls without it until it arrives, or if it fails. */
export function useActivity(
  kind: string,
  lastBlocks: number,
  specs: readonly Spec[],
): { activity: Activity | undefined; note: string | undefined } {
  const { fullname: workspace } = useWorkspace()
  const { data, isFetching, error } = useQuery({
    queryKey: ['look-ups', 'activity', workspace, kind, specs],
    queryFn: ({ signal }) => readActivity(api, workspace, specs, { lastBlocks, signal }),
    enabled: specs.length > 0,
    retry: false,
  })
  if (isFetching) return { activity: data, note: 'Counting events and calls of the latest blocks …' }
  return { activity: data, note: error ? `The latest blocks could not be read: ${error.message}` : undefined }
}

/** The name of a program or a pallet, what it is, and what is still being counted. */
export function InterfaceHead({
  name,
  note,
  children,
}: {
  name: string
  note: string | undefined
  children: ReactNode
}) {
  return (
    <section className={classes.hero} aria-label="What it is">
      <h2 className={classes.name}>{name}</h2>
      <Text c="dimmed">{children}</Text>
      {note && (
        <Text c="dimmed" role="status">
          {note}
        </Text>
      )}
    </section>
  )
}
