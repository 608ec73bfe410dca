"""The illustrations of the demo's menu: a table, a vessel, and food laid into it, all of it drawn by rule."""
