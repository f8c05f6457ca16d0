import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../data/use-workspace.ts'
import { GoalCards } from './goal-cards.tsx'

export function WatchPage() {
  const { fullname: workspace } = useWorkspace()
  return (
    <Page title="Watch" about="What do you want to be told about? Each is three questions long.">
      <GoalCards workspace={workspace} />
    </Page>
  )
}
