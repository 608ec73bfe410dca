"""The page of somebody who looks at what is held of them: by a link of their own, without signing in."""
