import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Typing over a selection, done here: where lines are joined, Chromium writes style attributes into the content to keep
 * how it looked, which the content security policy refuses.
 */
export function typingOver(): Extension {
  return EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { state } = view
      const { data: text, inputType } = event
      if (inputType !== 'insertText' || !text || view.composing || state.readOnly) return false
      const { from, to, empty } = state.selection.main
      if (empty) return false
      event.preventDefault()
      const insert = () =>
        view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
      const handlers = state.facet(EditorView.inputHandler)
      if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
      return true
    },
  })
}
