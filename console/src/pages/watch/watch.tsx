import { Stack, Title } from '@mantine/core'
import { Page } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { GoalCards } from '../../layouts/watch/goal-cards.tsx'
import { AddressBar } from './address/address-bar.tsx'
import { sortSources } from './model/source.ts'
import classes from './watch.module.css'

export function WatchPage() {
  const { fullname: workspace } = useWorkspace()
  const sources = sortSources(useApiList('listRuntimeSources').items)
  const [first] = sources
  return (
    <Page title="Watch" about="What do you want to be told about?">
      {first && (
        <section className={classes.question} aria-label="Watch an address">
          <Title order={2} mb="md">
            Watch an address
          </Title>
          <AddressBar sources={sources} source={first} />
        </section>
      )}
      <Stack component="section" gap="md" aria-label="Goals">
        <Title order={2}>Or start with a goal</Title>
        <GoalCards workspace={workspace} />
      </Stack>
    </Page>
  )
}
