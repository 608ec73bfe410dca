"""Menus from files and into files: tables for people, JSON for programs. All of a file comes in, or nothing."""
