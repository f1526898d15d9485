import { useData, withBase } from 'vitepress';
import { h, onMounted, onUnmounted, ref } from 'vue';

/**
 * An example of the demo in a frame, in the theme of the site. It runs while it is on screen, and takes the pointer,
 * and with it the wheel, only once it has been clicked: a page that scrolls does not stop at it. Examples keep still by
 * themselves where less motion is asked for.
 */
export const LiveExample = {
  props: { name: { type: String, required: true }, title: { type: String, required: true } },
  setup({ name, title }, { slots }) {
    const page = withBase(`/demo/examples/${name}/`);
    const { isDark } = useData();
    const stage = ref(null);
    const onScreen = ref(false);
    const used = ref(false);
    let observer;
    onMounted(() => {
      observer = new IntersectionObserver((entries) => {
        onScreen.value = entries.at(-1).isIntersecting;
        if (!onScreen.value) used.value = false;
      });
      observer.observe(stage.value);
    });
    onUnmounted(() => observer?.disconnect());

    // A frame of its own for each theme: another address in the same frame would be a step in the history of the tab.
    const frame = (theme) =>
      h('iframe', {
        key: theme,
        title,
        src: `${page}?embedded&theme=${theme}`,
        tabindex: used.value ? 0 : -1,
        onVnodeMounted: ({ el }) => used.value && el.focus(),
      });
    const use = (event) => {
      used.value = true;
      event.currentTarget.previousElementSibling.focus();
    };
    return () =>
      h('figure', { class: ['live', name] }, [
        h('div', { class: 'stage', ref: stage }, [
          slots.default(),
          onScreen.value ? frame(isDark.value ? 'dark' : 'light') : null,
          onScreen.value && !used.value
            ? h('button', { type: 'button', onClick: use }, h('span', 'Click to try it'))
            : null,
        ]),
        h('figcaption', [h('a', { href: page, target: '_blank' }, 'Open in a new tab')]),
      ]);
  },
};
