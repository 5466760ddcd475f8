import { useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, nextTick, onMounted, watch } from 'vue';
import './style.css';

/** The theme of VitePress without its fonts, with a page for dead addresses. */
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': missingPage }),
  setup() {
    const route = useRoute();
    onMounted(() => {
      watch(
        () => route.path,
        () => nextTick(untangleSidebar),
        { immediate: true },
      );
    });
  },
};

function missingPage() {
  return h('main', { class: 'missing vp-doc' }, [
    h('h1', '404'),
    h('p', 'There is no such page. The search at the top finds all documents.'),
    h('p', h('a', { href: import.meta.env.BASE_URL }, 'Back to the first page')),
  ]);
}

/**
 * The theme makes a button of each group of the sidebar, with another button in it. Screen readers and the keyboard get
 * the inner one, which does the same.
 */
function untangleSidebar() {
  for (const item of document.querySelectorAll('.VPSidebarItem > .item[role=button]')) {
    item.removeAttribute('role');
    item.removeAttribute('tabindex');
    item
      .querySelector('.caret')
      ?.setAttribute('aria-label', `show or hide: ${item.textContent.trim()}`);
  }
}
