import { Skeleton, Stack, Title } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Page } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/workspace.ts'
import { GoalCards } from '../../layouts/watch/goal-cards.tsx'
import { AddressBar } from './address/address-bar.tsx'
import { sortSources } from './model/source.ts'
import classes from './watch.module.css'

export function WatchPage() {
  const { fullname: workspace } = useWorkspace()
  const { items, isLoading, error, reload } = useApiList('listRuntimeSources', {})
  const sources = sortSources(items)
  const [first] = sources
  const hasAddressBar = first !== undefined || isLoading
  return (
    <Page title="Watch" about="What do you want to be told about?">
      <ErrorNotice error={error} retry={reload} />
      {hasAddressBar && (
        <section className={classes.question} aria-label="Watch an address">
          <Title order={2} mb="md">
            Watch an address
          </Title>
          {first ? <AddressBar sources={sources} source={first} /> : <Skeleton height={64} />}
        </section>
      )}
      <Stack component="section" gap="md" aria-label="Goals">
        <Title order={2}>{hasAddressBar ? 'Or start with a goal' : 'Start with a goal'}</Title>
        <GoalCards workspace={workspace} hasAddress={false} />
      </Stack>
    </Page>
  )
}
