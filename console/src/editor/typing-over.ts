import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * The editor itself types over a selection and inserts text of several lines. Where lines are joined, Chromium writes
 * style attributes into the content to keep its look, which the content security policy refuses; where lines are
 * inserted, Chromium lays the content out again after each one.
 */
export function typingOver(): Extension {
  return EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { state } = view
      const { data: text, inputType } = event
      if (inputType !== 'insertText' || !text || view.composing || state.readOnly) return false
      const { from, to, empty } = state.selection.main
      if (empty && !text.includes('\n')) return false
      event.preventDefault()
      const insert = () =>
        view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
      const handlers = state.facet(EditorView.inputHandler)
      if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
      return true
    },
  })
}
