"""Line-drawn lists and bodies. `document`, `parts`, `layout`, `finding`, `body`, `inks` know no widget."""
