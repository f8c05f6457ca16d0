import { useQuery } from '@tanstack/react-query'
import { api } from '../../../data/api.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { type Activity, readActivity, type Spec } from '../model/activity.ts'

/** Blocks of Solana are large and come fast, so fewer of them are read. */
const lastBlocks = { solana: 10, substrate: 30 }

/** What happened in the latest blocks. The page shows events and calls without it until it arrives, or if it fails. */
export function useActivity(
  kind: keyof typeof lastBlocks,
  specs: readonly Spec[],
): { activity: Activity | undefined; note: string | undefined } {
  const { fullname: workspace } = useWorkspace()
  const { data, isFetching, error } = useQuery({
    queryKey: ['look-ups', 'activity', workspace, kind, specs],
    queryFn: ({ signal }) => readActivity(api, workspace, specs, { lastBlocks: lastBlocks[kind], signal }),
    enabled: specs.length > 0,
    retry: false,
  })
  if (isFetching) return { activity: data, note: 'Counting events and calls of the latest blocks …' }
  return { activity: data, note: error ? `The latest blocks could not be read: ${error.message}` : undefined }
}
